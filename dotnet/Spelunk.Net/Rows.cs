using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Newtonsoft.Json;

namespace Spelunk
{
    /// <summary>How much of a verb is done.</summary>
    public sealed class Progress
    {
        /// <summary>Bytes of the files that are done.</summary>
        [JsonProperty("done")]
        public ulong Done { get; set; }

        /// <summary>Bytes of all files.</summary>
        [JsonProperty("total")]
        public ulong Total { get; set; }

        /// <summary>The number of the file that is worked on.</summary>
        [JsonProperty("file")]
        public ulong File { get; set; }

        /// <summary>How many files there are.</summary>
        [JsonProperty("files")]
        public ulong Files { get; set; }
    }

    /// <summary>A finding or an error, and the file that it is about.</summary>
    public sealed class FileDiagnostic
    {
        internal FileDiagnostic(string file, Diagnostic diagnostic)
        {
            File = file;
            Diagnostic = diagnostic;
        }

        /// <summary>The file; empty where it is about none.</summary>
        public string File { get; private set; }

        /// <summary>What is said of it.</summary>
        public Diagnostic Diagnostic { get; private set; }

        /// <summary>One line of text.</summary>
        public override string ToString()
        {
            var before = File.Length == 0 ? "" : File + ": ";
            return before + Diagnostic.Severity + " " + Diagnostic.Code + ": " + Diagnostic.Message;
        }
    }

    /// <summary>What comes of a verb, which runs on a thread of its own meanwhile. One thread at a time may read it; any may cancel it.
    /// Rows come once.</summary>
    public abstract unsafe class RowsBase : IDisposable
    {
        private readonly RowsHandle handle;
        /// <summary>1 while somebody reads: texts and bytes are those of the library until they are copied.</summary>
        private int isRead;
        private readonly List<FileDiagnostic> diagnostics = new List<FileDiagnostic>();
        private readonly List<string> notes = new List<string>();
        private readonly Dictionary<string, MemoryStream> bodies = new Dictionary<string, MemoryStream>();
        private readonly List<string> bodyNames = new List<string>();

        internal RowsBase(RowsHandle handle, object kept)
        {
            this.handle = handle;
            Kept = kept;
            Throws = true;
        }

        /// <summary>What has to stay while the verb runs.</summary>
        internal object Kept { get; private set; }

        /// <summary>Whether the end of rows is an exception where the verb could not do its work: where the exit code is 2 or more. It is,
        /// unless this is set to false; what is wrong is among the diagnostics then.</summary>
        public bool Throws { get; set; }

        /// <summary>What the command would end with, once all rows came: 0 clean, 1 error findings or differences, 2 a request that is
        /// wrong, 3 a file that cannot be opened, 4 input or output, 5 not supported. Null before.</summary>
        public int? ExitCode { get; private set; }

        /// <summary>Findings and errors so far.</summary>
        public IList<FileDiagnostic> Diagnostics
        {
            get { return diagnostics.AsReadOnly(); }
        }

        /// <summary>Sentences about the work so far.</summary>
        public IList<string> Notes
        {
            get { return notes.AsReadOnly(); }
        }

        /// <summary>How much is done; null where nothing was said of it yet.</summary>
        public Progress Progress { get; private set; }

        /// <summary>Raised when more is done, on the thread that reads the rows.</summary>
        public event Action<Progress> Progressed;

        /// <summary>Says where the bytes that were asked for go, by their name; they are kept otherwise. Streams are not closed.</summary>
        public Func<string, Stream> BodyTarget { get; set; }

        /// <summary>The names of the bytes that were kept so far, in the order in which they came.</summary>
        public IList<string> BodyNames
        {
            get { return bodyNames.AsReadOnly(); }
        }

        /// <summary>The bytes of this name that were kept so far.</summary>
        public byte[] Body(string name)
        {
            return bodies[name].ToArray();
        }

        /// <summary>Ends the verb soon, with a diagnostic that says so. For any thread.</summary>
        public void Cancel()
        {
            handle.Cancel();
        }

        /// <summary>Ends the verb and frees what came of it.</summary>
        public void Dispose()
        {
            // A thread that waits for a row comes back, so that what it uses can be freed.
            handle.Cancel();
            handle.Dispose();
        }

        /// <summary>The next row; null behind the last one.</summary>
        internal string NextRow()
        {
            if (Interlocked.CompareExchange(ref isRead, 1, 0) != 0)
            {
                var about = "these rows are read already, by another thread or by what they called";
                throw new SpelunkException(Status.Busy, "SP221", about, "", null, null);
            }
            try
            {
                return Read();
            }
            finally
            {
                Volatile.Write(ref isRead, 0);
            }
        }

        private string Read()
        {
            var rows = handle.Enter();
            try
            {
                while (true)
                {
                    Native.Item item;
                    Failure.Check(Native.spl_next(rows, &item));
                    var text = Utf8.Of(item.Text, checked((int)item.Size.ToUInt64()));
                    switch (item.Kind)
                    {
                        case Native.Row:
                            return text;
                        case Native.End:
                            End(item.Code);
                            return null;
                        default:
                            Take(rows, item, text);
                            break;
                    }
                }
            }
            finally
            {
                handle.Leave();
            }
        }

        private void Take(IntPtr rows, Native.Item item, string text)
        {
            switch (item.Kind)
            {
                case Native.DiagnosticItem:
                    diagnostics.Add(new FileDiagnostic(Utf8.Of(item.File), Json.Read<Diagnostic>(text)));
                    break;
                case Native.Note:
                    notes.Add(text);
                    break;
                case Native.Body:
                    TakeBody(rows, text);
                    break;
                case Native.ProgressItem:
                    Progress = Json.Read<Progress>(text);
                    var progressed = Progressed;
                    if (progressed != null)
                    {
                        progressed(Progress);
                    }
                    break;
            }
        }

        private void TakeBody(IntPtr rows, string name)
        {
            byte* bytes;
            UIntPtr size;
            Failure.Check(Native.spl_body(rows, &bytes, &size));
            var target = BodyTarget == null ? Keep(name) : BodyTarget(name);
            if (bytes != null && target != null)
            {
                using (var body = new UnmanagedMemoryStream(bytes, checked((long)size.ToUInt64())))
                {
                    body.CopyTo(target);
                }
            }
        }

        private Stream Keep(string name)
        {
            MemoryStream kept;
            if (!bodies.TryGetValue(name, out kept))
            {
                kept = new MemoryStream();
                bodies.Add(name, kept);
                bodyNames.Add(name);
            }
            return kept;
        }

        private void End(int code)
        {
            ExitCode = code;
            Kept = null;
            if (!Throws || code < 2)
            {
                return;
            }
            var error = diagnostics.Find(found => found.Diagnostic.Severity == "error");
            if (error == null)
            {
                var about = "the verb ended with the exit code " + code;
                throw new SpelunkException(Status.Failed, "", about, "", null, null) { ExitCode = code };
            }
            var told = error.Diagnostic;
            var message = (error.File.Length == 0 ? "" : error.File + ": ") + told.Code + ": " + told.Message;
            // A file that another verb has open still can be tried again.
            var status = told.Code == "SP192" ? Status.Busy : Status.Failed;
            throw new SpelunkException(status, told.Code, message, told.Path, told.Space, told.Offset)
            {
                ExitCode = code,
            };
        }
    }

    /// <summary>Rows as texts in JSON.</summary>
    public sealed class Rows : RowsBase, IEnumerable<string>
    {
        internal Rows(RowsHandle handle, object kept) : base(handle, kept)
        {
        }

        /// <summary>The rows that are left, as they come.</summary>
        public IEnumerator<string> GetEnumerator()
        {
            for (var row = NextRow(); row != null; row = NextRow())
            {
                yield return row;
            }
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }
    }

    /// <summary>Rows as objects.</summary>
    public sealed class Rows<TRow> : RowsBase, IEnumerable<TRow>
    {
        internal Rows(RowsHandle handle, object kept) : base(handle, kept)
        {
        }

        /// <summary>The rows that are left, as they come.</summary>
        public IEnumerator<TRow> GetEnumerator()
        {
            for (var row = NextRow(); row != null; row = NextRow())
            {
                yield return Json.Read<TRow>(row);
            }
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>All rows that are left. What came of the verb is freed then.</summary>
        public List<TRow> All()
        {
            using (this)
            {
                return new List<TRow>(this);
            }
        }

        /// <summary>The only row.</summary>
        public TRow One()
        {
            var rows = All();
            if (rows.Count != 1)
            {
                throw new InvalidOperationException("one row was expected, and there are " + rows.Count);
            }
            return rows[0];
        }
    }
}
