using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace Spelunk.Tests
{
    /// <summary>What comes of verbs: rows, findings, notes, bytes, how much is done, and the end before the end.</summary>
    internal static class RowsTests
    {
        /// <summary>A statement that ends when it is ended.</summary>
        internal const string Endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

        internal static void Run()
        {
            using (var session = new Session())
            {
                Items(session);
                Bodies(session);
                Long(session);
                Codes(session);
                Cancelled(session);
                Kept(session);
            }
        }

        private static void Items(Session session)
        {
            using (var rows = session.Ls(new LsRequest { File = "level.nmo", Limit = 3 }))
            {
                Check.Equal("no code before the end", rows.ExitCode, null);
                Check.Same("rows", rows.Select(row => row.Path), new[] { "#0", "#1", "#2" });
                Check.Equal("the code", rows.ExitCode, 0);
                Check.Same("rows come once", rows.Select(row => row.Path), new string[0]);
                Check.Same("notes", rows.Notes, new[] { "6 more" });
            }
            var files = Directory.GetFiles(".").Select(Path.GetFileName).OrderBy(name => name, StringComparer.Ordinal).ToList();
            using (var rows = session.Verify(new VerifyRequest { Files = files.Select(name => (FileRef)name).ToList() }))
            {
                var told = new List<Progress>();
                rows.Progressed += told.Add;
                var found = rows.Select(row => row.File).ToList();
                Check.Same("a row for each file", found, files);
                Check.That("how much is done was told", told.Count > 0);
                Check.That("of all files", told.All(progress => progress.Files == (ulong)files.Count && progress.Done <= progress.Total));
                Check.Equal("the last of it", rows.Progress, told.LastOrDefault());
                Check.That("findings", rows.Diagnostics.Count > 0 || rows.ExitCode == 1);
            }
        }

        private static void Bodies(Session session)
        {
            using (var rows = session.Export(new ExportRequest { File = "level.nmo", Output = "level.glb" }))
            {
                rows.All();
                var told = rows.Diagnostics.Single();
                Check.Equal("a finding", told.Diagnostic.Code, "SP072");
                Check.That("as a line", told.ToString().StartsWith("level.nmo: warning SP072: ", StringComparison.Ordinal), told.ToString());
            }
            File.Delete("level.glb");
            using (var rows = session.Cat(new CatRequest { File = "level.nmo", Path = "#2" }))
            {
                Check.Equal("no rows", rows.All().Count, 0);
                Check.Equal("one body", rows.BodyNames.Count, 1);
                Check.Equal("its bytes", rows.Body(rows.BodyNames[0]).Length, 344);
            }
            using (var rows = session.Cat(new CatRequest { File = "level.nmo", Path = "#2" }))
            using (var target = new MemoryStream())
            {
                var names = new List<string>();
                rows.BodyTarget = name =>
                {
                    names.Add(name);
                    return target;
                };
                rows.All();
                Check.Equal("bytes that went elsewhere", target.Length, 344L);
                Check.That("under a name", names.Count > 0);
                Check.Equal("are not kept", rows.BodyNames.Count, 0);
            }
        }

        /// <summary>Many bytes are one body, in however many parts they come.</summary>
        private static void Long(Session session)
        {
            var content = new byte[5000000];
            new Random(3).NextBytes(content);
            Directory.CreateDirectory("long");
            File.WriteAllBytes("long/data.bin", content);
            session.Pack(new PackRequest { Source = "long", Output = "long.snpak" }).All();
            var path = session.Ls(new LsRequest { File = "long.snpak" }).One().Path;
            using (var rows = session.Cat(new CatRequest { File = "long.snpak", Path = path }))
            {
                rows.All();
                Check.Equal("one body", rows.BodyNames.Count, 1);
                Check.That("all of it", rows.Body(rows.BodyNames[0]).SequenceEqual(content));
            }
            using (var rows = session.Cat(new CatRequest { File = "long.snpak", Path = path }))
            {
                var parts = 0;
                rows.BodyTarget = name =>
                {
                    parts++;
                    return null;
                };
                rows.All();
                Check.That("a body that nobody wants", parts > 0 && rows.BodyNames.Count == 0);
            }
            using (var rows = session.Cat(new CatRequest { File = "long.snpak", Path = path }))
            {
                var refused = 0;
                rows.BodyTarget = name =>
                {
                    try
                    {
                        // The bytes would go while they are copied.
                        rows.GetEnumerator().MoveNext();
                    }
                    catch (SpelunkException error)
                    {
                        refused += error.Status == Status.Busy && error.Code == "SP221" ? 1 : 0;
                    }
                    return null;
                };
                rows.All();
                Check.That("rows are not read within rows", refused > 0);
            }
            Directory.Delete("long", true);
            File.Delete("long.snpak");
        }

        private static void Codes(Session session)
        {
            var error = Check.Fails("a verb that is none", Status.Failed, "SP190", () => session.Call("lz", "{}").ToList());
            Check.Equal("its code", error.ExitCode, 2);
            Check.Fails("a request that is none", Status.Failed, "SP190", () => session.Call("ls", "[").ToList());
            Check.Fails("no file", Status.Failed, "SP020", () => session.Ls(new LsRequest { File = "nothing" }).All());
            using (var rows = session.Call("ls", "{\"file\":\"nothing\"}"))
            {
                rows.Throws = false;
                Check.Equal("no rows of no file", rows.Count(), 0);
                Check.That("what is wrong is told", rows.Diagnostics.Single().Diagnostic.Severity == "error");
                Check.That("the code says so", rows.ExitCode >= 3, rows.ExitCode.ToString());
            }
            using (var rows = session.Diff(new DiffRequest { Old = "forest.snpak", New = "forest-appended.snpak" }))
            {
                Check.That("differences", rows.All().Count > 0);
                Check.Equal("are no error", rows.ExitCode, 1);
            }
            Check.Throws<InvalidOperationException>("one of many", () => session.Ls(new LsRequest { File = "level.nmo" }).One());
        }

        private static void Cancelled(Session session)
        {
            using (var rows = session.Query(new QueryRequest { Files = new List<FileRef> { "level.nmo" }, Sql = Endless }))
            {
                ThreadPool.QueueUserWorkItem(_ =>
                {
                    Thread.Sleep(100);
                    rows.Cancel();
                });
                var error = Check.Fails("a verb that is ended", Status.Failed, "SP014", () => rows.ToList());
                Check.That("has a code", error != null && error.ExitCode >= 2);
                rows.Cancel();
            }
            using (var rows = session.Query(new QueryRequest { Files = new List<FileRef> { "level.nmo" }, Sql = Endless }))
            {
                ThreadPool.QueueUserWorkItem(_ =>
                {
                    Thread.Sleep(100);
                    session.Cancel();
                });
                Check.Fails("all verbs of a session", Status.Failed, "SP014", () => rows.ToList());
            }
            Check.Equal("what is begun after it runs", session.Ls(new LsRequest { File = "level.nmo" }).All().Count, 9);
            var left = session.Query(new QueryRequest { Files = new List<FileRef> { "level.nmo" }, Sql = Endless });
            var started = DateTime.UtcNow;
            left.Dispose();
            Check.That("rows that are not read end", DateTime.UtcNow - started < TimeSpan.FromSeconds(30));
        }

        /// <summary>A file that only a request knows stays open while the verb runs, whatever is collected meanwhile.</summary>
        private static void Kept(Session session)
        {
            for (var nth = 0; nth < 5; nth++)
            {
                Rows<VerifyRow> rows = null;
                // On a thread of its own, so that nothing of the file is left on this one.
                var opener = new Thread(() => rows = Opened(session));
                opener.Start();
                opener.Join();
                GC.Collect();
                GC.WaitForPendingFinalizers();
                rows.Throws = false;
                var all = rows.All();
                Check.Equal("files of the request that are left", all.Count, 300);
                Check.Equal("the file that is open", all[299].File, "kept.nmo");
                Check.Equal("is still open", all[299].Ok, true);
            }
        }

        /// <summary>A request that comes to the file that it alone knows after many others.</summary>
        private static Rows<VerifyRow> Opened(Session session)
        {
            var files = Enumerable.Repeat((FileRef)"GameData.cff", 300).ToList();
            files.Add(session.Open("kept.nmo", File.ReadAllBytes("level.nmo")));
            var rows = session.Verify(new VerifyRequest { Files = files });
            rows.GetEnumerator().MoveNext();
            return rows;
        }
    }
}
