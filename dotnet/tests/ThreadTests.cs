using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Spelunk.Tests
{
    /// <summary>Many threads at one session, file, pack and rows.</summary>
    internal static class ThreadTests
    {
        private const int Threads = 8;

        /// <summary>Does something on many threads at once, and waits for all.</summary>
        private static void Together(string name, Action<int> work)
        {
            var errors = new List<Exception>();
            using (var start = new ManualResetEvent(false))
            {
                var threads = Enumerable.Range(0, Threads).Select(nth => new Thread(() =>
                {
                    start.WaitOne();
                    try
                    {
                        work(nth);
                    }
                    catch (Exception error)
                    {
                        lock (errors)
                        {
                            errors.Add(error);
                        }
                    }
                })).ToList();
                threads.ForEach(thread => thread.Start());
                start.Set();
                threads.ForEach(thread => thread.Join());
            }
            Check.That(name, errors.Count == 0, errors.Count == 0 ? "" : errors[0].ToString());
        }

        internal static void Run()
        {
            using (var session = new Session())
            {
                Sessions(session);
                Files(session);
                Packs(session);
                Rows(session);
                Freed(session);
                Errors(session);
            }
        }

        private static void Sessions(Session session)
        {
            Together("verbs at once", nth =>
            {
                for (var turn = 0; turn < 20; turn++)
                {
                    Check.Equal("rows of one of many", session.Ls(new LsRequest { File = "level.nmo" }).All().Count, 9);
                }
            });
        }

        private static void Files(Session session)
        {
            using (var file = session.Open("level.nmo"))
            {
                float[] expected;
                using (var mesh = file.Mesh("#2"))
                {
                    expected = mesh.CopyPositions();
                }
                int right = 0, busy = 0;
                Together("views of one file", nth =>
                {
                    for (var turn = 0; turn < 200; turn++)
                    {
                        try
                        {
                            using (var mesh = file.Mesh("#2"))
                            {
                                Check.Same("positions", mesh.CopyPositions(), expected);
                                Interlocked.Increment(ref right);
                            }
                        }
                        catch (SpelunkException error)
                        {
                            Check.Equal("a thread that came second", error.Status, Status.Busy);
                            Interlocked.Increment(ref busy);
                        }
                    }
                });
                Check.Equal("views and refusals", right + busy, Threads * 200);
                Check.That("some came through", right > 0);
                Check.That("some came second", busy > 0);
            }
        }

        private static void Packs(Session session)
        {
            using (var file = session.Open("forest.snpak"))
            using (var pack = file.OpenPack())
            {
                var expected = pack.Load("meshes/oak_trunk");
                Together("loading at once", nth =>
                {
                    var buffer = new byte[expected.Length];
                    var number = pack.Find("meshes/oak_trunk").Number;
                    for (var turn = 0; turn < 200; turn++)
                    {
                        Array.Clear(buffer, 0, buffer.Length);
                        Check.Equal("the size", pack.Load(number, buffer), expected.Length);
                        Check.That("the bytes", buffer.SequenceEqual(expected));
                    }
                });
            }
        }

        /// <summary>Rows that another thread waits at.</summary>
        private static void Rows(Session session)
        {
            var request = new QueryRequest { Files = new List<FileRef> { "level.nmo" }, Sql = RowsTests.Endless };
            using (var rows = session.Query(request))
            {
                rows.Throws = false;
                var reader = new Thread(() => rows.ToList());
                reader.Start();
                SpelunkException busy = null;
                // The other thread may not be there yet.
                for (var turn = 0; turn < 100 && busy == null; turn++)
                {
                    Thread.Sleep(20);
                    var one = new Thread(() => busy = busy ?? Attempt(rows));
                    one.Start();
                    if (!one.Join(2000))
                    {
                        break;
                    }
                }
                Check.That("a second reader is refused", busy != null && busy.Status == Status.Busy && busy.Code == "SP221",
                    busy == null ? "it waited" : busy.ToString());
                rows.Cancel();
                reader.Join();
                Check.That("the first one came to the end", rows.ExitCode >= 2, rows.ExitCode.ToString());
            }
        }

        private static SpelunkException Attempt(Rows<QueryRow> rows)
        {
            try
            {
                rows.NextRow();
                return null;
            }
            catch (SpelunkException error)
            {
                return error;
            }
        }

        /// <summary>Rows that are freed while another thread waits for them.</summary>
        private static void Freed(Session session)
        {
            for (var turn = 0; turn < 5; turn++)
            {
                var request = new QueryRequest { Files = new List<FileRef> { "level.nmo" }, Sql = RowsTests.Endless };
                var rows = session.Query(request);
                Exception thrown = null;
                var reader = new Thread(() =>
                {
                    try
                    {
                        rows.ToList();
                    }
                    catch (Exception error)
                    {
                        thrown = error;
                    }
                });
                reader.Start();
                Thread.Sleep(30);
                rows.Dispose();
                Check.That("the reader comes back", reader.Join(30000));
                var told = thrown as SpelunkException;
                Check.That("and knows why", thrown is ObjectDisposedException || (told != null && told.Code == "SP014"),
                    thrown == null ? "nothing" : thrown.ToString());
            }
        }

        /// <summary>Each thread has errors of its own.</summary>
        private static void Errors(Session session)
        {
            using (var file = session.Open("forest.snpak"))
            using (var pack = file.OpenPack())
            {
                Together("errors at once", nth =>
                {
                    for (var turn = 0; turn < 50; turn++)
                    {
                        var name = "nothing-" + nth + "-" + turn;
                        var error = Check.Fails("an error of one of many", Status.Failed, "SP022", () => pack.Find(name));
                        Check.That("is about what it asked", error.Message.Contains(name), error.Message);
                    }
                });
            }
        }
    }
}
