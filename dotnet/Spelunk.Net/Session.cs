using System;
using Newtonsoft.Json;

namespace Spelunk
{
    /// <summary>How a session opens files.</summary>
    public sealed class SessionOptions
    {
        /// <summary>Whether the first damage of a file is an error.</summary>
        [JsonProperty("strict", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Strict { get; set; }

        /// <summary>Whether errors in files that can be read are no failures, and extensions of a format that are not known are passed
        /// over.</summary>
        [JsonProperty("lenient", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lenient { get; set; }

        /// <summary>Bytes of memory that a file may take.</summary>
        [JsonProperty("max_memory", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? MaxMemory { get; set; }

        /// <summary>How many times its size a file may inflate to.</summary>
        [JsonProperty("max_ratio", NullValueHandling = NullValueHandling.Ignore)]
        public uint? MaxRatio { get; set; }

        /// <summary>The code pages of texts, such as cp1252.</summary>
        [JsonProperty("code_pages", NullValueHandling = NullValueHandling.Ignore)]
        public string CodePages { get; set; }

        /// <summary>The generation of packs, counted from 1 (the oldest).</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>How many threads a verb may use.</summary>
        [JsonProperty("threads", NullValueHandling = NullValueHandling.Ignore)]
        public int? Threads { get; set; }

        /// <summary>Whether large files are read range by range, and not mapped: for files that others write to in place.</summary>
        [JsonProperty("no_map", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoMap { get; set; }
    }

    /// <summary>Files that are open, and the verbs that work on them. Any number of threads may use one at once.</summary>
    public sealed unsafe partial class Session : IDisposable
    {
        private readonly SessionHandle handle;

        /// <summary>Makes a session on the files of the disk.</summary>
        public Session() : this((string)null)
        {
        }

        /// <summary>Makes a session with these options.</summary>
        public Session(SessionOptions options) : this(options == null ? null : Json.Write(options))
        {
        }

        /// <summary>Makes a session with options in JSON, as the header of the library describes them.</summary>
        public Session(string options)
        {
            Failure.CheckVersion();
            IntPtr made;
            fixed (byte* text = Utf8.Bytes(options))
            {
                Failure.Check(Native.spl_session_new(text, &made));
            }
            handle = new SessionHandle(made);
        }

        /// <summary>The version of the library, such as 0.2.0.</summary>
        public static string LibraryVersion
        {
            get
            {
                Failure.CheckVersion();
                return Utf8.Of(Native.spl_version());
            }
        }

        /// <summary>Opens the file, or the folder that is one container, at a path of the disk.</summary>
        public SpelunkFile Open(string path)
        {
            IntPtr file;
            var session = handle.Enter();
            try
            {
                fixed (byte* text = Utf8.Bytes(path))
                {
                    Failure.Check(Native.spl_open_path(session, text, &file));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new SpelunkFile(this, new FileHandle(file));
        }

        /// <summary>Opens a file whose bytes these are, which are copied. `name` is what rows call it.</summary>
        public SpelunkFile Open(string name, byte[] bytes)
        {
            if (bytes == null)
            {
                throw new ArgumentNullException("bytes");
            }
            IntPtr file;
            var session = handle.Enter();
            try
            {
                fixed (byte* text = Utf8.Bytes(name), first = bytes)
                {
                    var size = new UIntPtr((ulong)bytes.LongLength);
                    Failure.Check(Native.spl_open_bytes(session, text, first, size, &file));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new SpelunkFile(this, new FileHandle(file));
        }

        /// <summary>Begins a verb with a request in JSON. Rows are texts in JSON. Files that the request has by their numbers have to
        /// stay open until the rows end.</summary>
        public Rows Call(string verb, string request)
        {
            return new Rows(Begin(verb, request), this);
        }

        /// <summary>Begins a verb with a request, whose rows are objects. The methods named after verbs know both types.</summary>
        public Rows<TRow> Call<TRequest, TRow>(string verb, TRequest request) where TRequest : class
        {
            if (request == null)
            {
                throw new ArgumentNullException("request");
            }
            // The request holds the files that it has open, and rows hold the request.
            return new Rows<TRow>(Begin(verb, Json.Write(request)), request);
        }

        private RowsHandle Begin(string verb, string request)
        {
            IntPtr rows;
            var session = handle.Enter();
            try
            {
                fixed (byte* name = Utf8.Bytes(verb), text = Utf8.Bytes(request))
                {
                    Failure.Check(Native.spl_call(session, name, text, &rows));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new RowsHandle(rows);
        }

        /// <summary>Ends all verbs of this session that run now. What is begun after it runs.</summary>
        public void Cancel()
        {
            var session = handle.Enter();
            try
            {
                Failure.Check(Native.spl_cancel(session));
            }
            finally
            {
                handle.Leave();
            }
        }

        /// <summary>Frees the session. Files, rows and packs of it stay until they are freed.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }

    /// <summary>A file that a session keeps open. One thread at a time works on it.</summary>
    public sealed unsafe class SpelunkFile : IDisposable
    {
        private readonly FileHandle handle;

        internal SpelunkFile(Session session, FileHandle handle)
        {
            Session = session;
            this.handle = handle;
        }

        /// <summary>The session that it is open in.</summary>
        public Session Session { get; private set; }

        /// <summary>The number that stands for the file in requests in JSON.</summary>
        public ulong Number
        {
            get
            {
                ulong number;
                var file = handle.Enter();
                try
                {
                    Failure.Check(Native.spl_file_number(file, &number));
                }
                finally
                {
                    handle.Leave();
                }
                return number;
            }
        }

        /// <summary>The mesh that the entry at a path is, or is drawn with.</summary>
        public MeshView Mesh(string path)
        {
            Native.Mesh mesh;
            var file = handle.Enter();
            try
            {
                fixed (byte* text = Utf8.Bytes(path))
                {
                    Failure.Check(Native.spl_mesh(file, text, &mesh));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new MeshView(mesh);
        }

        /// <summary>The picture in a slot of the texture at a path. One that the file only names is looked for beside it.</summary>
        public ImageView Image(string path, int slot = 0)
        {
            if (slot < 0)
            {
                throw new ArgumentOutOfRangeException("slot");
            }
            Native.Image image;
            var file = handle.Enter();
            try
            {
                fixed (byte* text = Utf8.Bytes(path))
                {
                    Failure.Check(Native.spl_image(file, text, new UIntPtr((uint)slot), &image));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new ImageView(image);
        }

        /// <summary>The assets of the pack that the file is, as they are now.</summary>
        public Pack OpenPack()
        {
            IntPtr pack;
            var file = handle.Enter();
            try
            {
                Failure.Check(Native.spl_pack_open(file, &pack));
            }
            finally
            {
                handle.Leave();
            }
            return new Pack(new PackHandle(pack));
        }

        /// <summary>Closes the file. Views and packs of it stay until they are freed.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
