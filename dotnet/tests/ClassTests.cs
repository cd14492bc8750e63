using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Newtonsoft.Json.Linq;

namespace Spelunk.Tests
{
    /// <summary>Sessions, files, meshes, pictures and errors by the classes.</summary>
    internal static class ClassTests
    {
        internal static void Run()
        {
            Sessions();
            Meshes();
            Images();
            Errors();
            Disposed();
            Changes();
            Letters();
            Forgotten();
        }

        /// <summary>What nobody disposes of is freed when it is collected, in whatever order.</summary>
        private static void Forgotten()
        {
            for (var turn = 0; turn < 20; turn++)
            {
                for (var nth = 0; nth < 50; nth++)
                {
                    Forget();
                }
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
            using (var session = new Session())
            {
                Check.Equal("after all that was forgotten", session.Ls(new LsRequest { File = "level.nmo" }).All().Count, 9);
            }
        }

        private static void Forget()
        {
            var session = new Session();
            var mesh = session.Open("level.nmo").Mesh("#2");
            session.Open("forest.snpak").OpenPack();
            session.Ls(new LsRequest { File = session.Open("level.nmo") }).GetEnumerator().MoveNext();
            Check.Equal("a mesh of a file that was forgotten", mesh.VertexCount, 8);
        }

        private static void Sessions()
        {
            using (var session = new Session(new SessionOptions { Threads = 1, MaxMemory = 1ul << 30, CodePages = "cp1252" }))
            using (var file = session.Open("level.nmo"))
            {
                Check.Equal("entries", session.Ls(new LsRequest { File = file }).All().Count, 9);
                Check.Equal("the session of a file", file.Session, session);
            }
            Check.Fails("an option that is none", Status.Misuse, "SP220", () => new Session("{\"threads\":0}"));
            Check.Fails("little memory", Status.Failed, "SP010", () => Small().Open("level.nmo").Dispose());
            using (var session = new Session())
            using (var file = session.Open("level.nmo"))
            using (var mesh = file.Mesh("CKMesh/Cube_Mesh"))
            {
                session.Dispose();
                Check.Equal("a mesh after the session", mesh.CopyPositions().Length, 24);
                Check.Equal("a file after the session", file.Mesh("#2").VertexCount, 8);
                file.Dispose();
                Check.Equal("a mesh after the file", mesh.CopyFaces().Length, 48);
            }
        }

        private static Session Small()
        {
            return new Session(new SessionOptions { MaxMemory = 1 });
        }

        /// <summary>Numbers of fields whose paths begin with this, in the order of the rows.</summary>
        private static List<double> Shown(ShowRow row, string start, params string[] ends)
        {
            var fields = row.Fields.Where(field => field.Path.StartsWith(start, StringComparison.Ordinal));
            var found = fields.Where(field => ends.Length == 0 || ends.Any(end => field.Path.EndsWith(end, StringComparison.Ordinal)));
            return found.Select(field => field.Value.Value<double>()).ToList();
        }

        private static void Meshes()
        {
            using (var session = new Session())
            using (var file = session.Open("level.nmo"))
            using (var mesh = file.Mesh("CK3dObject/Cube"))
            {
                var shown = session.Show(new ShowRequest { File = file, Path = "CKMesh/Cube_Mesh" }).One();
                var positions = Shown(shown, "vertices.positions[");
                Check.Equal("numbers that show has of positions", positions.Count, 24);
                Check.Same("positions are what show says", mesh.CopyPositions().Select(value => (double)value), positions);
                Check.Same("uvs are what show says", mesh.CopyUvs().Select(value => (double)value), Shown(shown, "vertices.uv["));
                var faces = Shown(shown, "faces.faces[", "].a", "].b", "].c", "].material");
                Check.Equal("numbers that show has of faces", faces.Count, 48);
                Check.Same("faces are what show says", mesh.CopyFaces().Select(value => (double)value), faces);
                Check.Same("the colour of all", mesh.CopyColors(), new[] { 0xffffffffu });
                Check.Same("materials", mesh.Materials, new[] { null, "#1" });
                Check.Equal("lines", mesh.CopyLines().Length, 0);
                var normals = mesh.CopyNormals();
                Check.Equal("normals", normals.Length, 24);
                for (var at = 0; at < 24; at += 3)
                {
                    var length = normals[at] * normals[at] + normals[at + 1] * normals[at + 1] + normals[at + 2] * normals[at + 2];
                    Check.That("a normal is 1 long", Math.Abs(length - 1) < 1e-5, length.ToString());
                }
#if NETSTANDARD2_1_OR_GREATER
                Check.Same("a span of positions", mesh.Positions.ToArray(), mesh.CopyPositions());
                Check.Same("a span of normals", mesh.Normals.ToArray(), normals);
                Check.Same("a span of faces", mesh.Faces.ToArray(), mesh.CopyFaces());
                Check.Same("a span of uvs", mesh.Uvs.ToArray(), mesh.CopyUvs());
                Check.Same("a span of colours", mesh.Colors.ToArray(), mesh.CopyColors());
                Check.Equal("an empty span", mesh.Lines.Length, 0);
#endif
                unsafe
                {
                    Check.Equal("a pointer", ((float*)mesh.PositionsPointer)[3], mesh.CopyPositions()[3]);
                }
            }
        }

        private static void Images()
        {
            using (var session = new Session())
            using (var file = session.Open("textures.snpak"))
            using (var image = file.Image("textures/rgba8"))
            {
                Check.Equal("bytes of a picture", image.CopyPixels().Length, image.Width * image.Height * 4);
                Check.Equal("bytes of a picture in the pack", image.CopyPixels().Length, 7680);
                Check.Equal("no file beside it", image.File, null);
                Check.Same("pixels are what is stored", image.CopyPixels(), BodyOf(session, "textures.snpak", "textures/rgba8#1/0"));
                using (var pack = file.OpenPack())
                {
                    Check.Same("and what is loaded", pack.Load("textures/rgba8#1/0"), image.CopyPixels());
                    Check.Equal("of the same asset", pack.Find("textures/rgba8#1/0").Id, pack.Find("textures/rgba8").Id);
                }
#if NETSTANDARD2_1_OR_GREATER
                Check.Same("a span of pixels", image.Pixels.ToArray(), image.CopyPixels());
#endif
            }
            Beside();
        }

        /// <summary>The bytes of an entry.</summary>
        private static byte[] BodyOf(Session session, string file, string path)
        {
            using (var rows = session.Cat(new CatRequest { File = file, Path = path }))
            {
                rows.All();
                return rows.Body(rows.BodyNames.Single());
            }
        }

        /// <summary>A picture of 2 by 2 pixels whose file lies beside the one that names it.</summary>
        private static void Beside()
        {
            var rows = new byte[] { 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0 };
            using (var writer = new BinaryWriter(File.Create("wood.bmp")))
            {
                writer.Write(new[] { (byte)'B', (byte)'M' });
                foreach (var value in new[] { 54 + 16, 0, 54, 40, 2, 2, 1 | (24 << 16), 0, 16, 2835, 2835, 0, 0 })
                {
                    writer.Write(value);
                }
                writer.Write(rows);
            }
            using (var session = new Session())
            using (var file = session.Open("level.nmo"))
            using (var image = file.Image("CKTexture/Wood_Texture"))
            {
                Check.Equal("the file beside it", image.File, "wood.bmp");
                Check.Equal("its width", image.Width, 2);
                // Rows of such a file begin with the lower one, and colours with blue.
                Check.Same("pixels, the upper row first", image.CopyPixels(),
                    new byte[] { 0, 0, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255, 0, 255, 0, 255 });
            }
            File.Delete("wood.bmp");
        }

        private static void Errors()
        {
            using (var session = new Session())
            using (var file = session.Open("level.nmo"))
            {
                Check.Fails("no such file", Status.Failed, "SP020", () => session.Open("nothing-here.nmo"));
                Check.Fails("no such entry", Status.Failed, "SP022", () => file.Mesh("CKMesh/Nothing"));
                Check.Fails("no mesh", Status.Failed, "SP070", () => file.Mesh("CKMaterial/Wood"));
                Check.Fails("no pack", Status.Failed, "SP090", () => file.OpenPack());
                Check.Fails("no container", Status.Failed, "SP030", () => session.Open("text", new byte[] { 1, 2, 3 }));
                var cut = File.ReadAllBytes("level.nmo").Take(40).ToArray();
                var error = Check.Fails("a file that is cut off", Status.Failed, "VT002", () => session.Open("cut.nmo", cut));
                Check.Equal("where it is cut off", error.Space, "file");
                Check.That("at which byte", error.Offset > 0, error.Offset.ToString());
                Check.That("the message begins with the code", error.Message.StartsWith("VT002: ", StringComparison.Ordinal), error.Message);
                Check.Throws<ArgumentException>("a text with a 0", () => session.Open("level\0.nmo"));
                Check.Throws<ArgumentException>("half a letter", () => session.Open("\ud800"));
                Check.Throws<ArgumentNullException>("no bytes", () => session.Open("x", null));
                Check.Throws<ArgumentNullException>("no request", () => session.Ls(null));
                Check.Throws<ArgumentOutOfRangeException>("a slot before the first", () => file.Image("#0", -1));
                Check.Fails("no path", Status.Misuse, "SP220", () => file.Mesh(null));
            }
        }

        private static void Disposed()
        {
            var session = new Session();
            var file = session.Open("forest.snpak");
            var pack = file.OpenPack();
            var rows = session.Call("ls", "{\"file\":\"level.nmo\"}");
            var level = session.Open("level.nmo");
            var mesh = level.Mesh("#2");
            foreach (var disposable in new IDisposable[] { mesh, level, rows, pack, file, session })
            {
                disposable.Dispose();
                disposable.Dispose();
            }
            Check.Throws<ObjectDisposedException>("a session that is gone", () => session.Open("level.nmo"));
            Check.Throws<ObjectDisposedException>("verbs of it", () => session.Call("ls", "{}"));
            Check.Throws<ObjectDisposedException>("its end", session.Cancel);
            Check.Throws<ObjectDisposedException>("a file that is gone", () => file.OpenPack());
            Check.Throws<ObjectDisposedException>("its number", () => file.Number.ToString());
            Check.Throws<ObjectDisposedException>("a pack that is gone", () => pack.Find("sounds/wind"));
            Check.Throws<ObjectDisposedException>("rows that are gone", () => rows.ToList());
            Check.Throws<ObjectDisposedException>("a mesh that is gone", () => mesh.CopyPositions());
            Check.Throws<ObjectDisposedException>("pointers of it", () => mesh.PositionsPointer.ToString());
            rows.Cancel();
            Check.That("a view knows", mesh.IsDisposed);
        }

        private static void Changes()
        {
            using (var session = new Session())
            using (var file = session.Open("level.nmo"))
            {
                var change = new FieldChange { Entry = "CKMaterial/Wood", Field = "material.diffuse", Value = "#ff0000" };
                session.Set(new SetRequest { File = file, Changes = new List<FieldChange> { change } }).All();
                session.Rewrite(new RewriteRequest { File = file, Output = "red.nmo" }).All();
                Check.Equal("what was changed in the open file", Diffuse(session, file), "#ff0000");
                Check.Equal("what was saved", Diffuse(session, "red.nmo"), "#ff0000");
                Check.Equal("what was opened stays", Diffuse(session, "level.nmo"), "#ffffff");
                File.Delete("red.nmo");
            }
        }

        private static string Diffuse(Session session, FileRef file)
        {
            var shown = session.Show(new ShowRequest { File = file, Path = "CKMaterial/Wood" }).One();
            return shown.Fields.Single(field => field.Path == "material.diffuse").Meaning;
        }

        /// <summary>Names of every kind of letter come back as they went in.</summary>
        private static void Letters()
        {
            const string name = "Grüße-木-🪵.nmo";
            File.Copy("level.nmo", name, true);
            using (var session = new Session())
            using (var file = session.Open(name))
            {
                Check.Equal("a name of many letters", session.Ls(new LsRequest { File = file }).All()[0].File, name);
                Check.Equal("by its name", session.Ls(new LsRequest { File = name }).All()[0].File, name);
                Check.Equal("as text", JObject.Parse(session.Call("ls", "{\"file\":\"" + name + "\"}").First())["file"].ToString(), name);
            }
            File.Delete(name);
        }
    }
}
