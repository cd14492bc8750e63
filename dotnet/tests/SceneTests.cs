using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Spelunk.Unity;
using Spelunk.Unity.Editor;
using UnityEngine;
#if UNITY_2020_2_OR_NEWER
using UnityEditor.AssetImporters;
#else
using UnityEditor.Experimental.AssetImporters;
#endif

namespace Spelunk.Tests
{
    /// <summary>The package for Unity, with stand-ins for Unity: what comes of a file is where it belongs.</summary>
    internal static class SceneTests
    {
        internal static void Run()
        {
            Placements();
            Hierarchy();
            Imported();
            Outward();
            Damaged();
            Loaded();
        }

        private static bool Near(double found, double expected)
        {
            return Math.Abs(found - expected) < 1e-4;
        }

        private static double[] Rows(double[] position, double[] q, double[] scale)
        {
            double x = q[0], y = q[1], z = q[2], w = q[3];
            // Images of the axes, which are the columns of the usual matrix of a quaternion.
            return new[]
            {
                scale[0] * (1 - 2 * (y * y + z * z)), scale[0] * 2 * (x * y + z * w), scale[0] * 2 * (x * z - y * w),
                scale[1] * 2 * (x * y - z * w), scale[1] * (1 - 2 * (x * x + z * z)), scale[1] * 2 * (y * z + x * w),
                scale[2] * 2 * (x * z + y * w), scale[2] * 2 * (y * z - x * w), scale[2] * (1 - 2 * (x * x + y * y)),
                position[0], position[1], position[2],
            };
        }

        private static double[] Multiplied(double[] first, double[] second)
        {
            var product = new double[12];
            for (var row = 0; row < 4; row++)
            {
                for (var column = 0; column < 3; column++)
                {
                    var sum = row == 3 ? second[9 + column] : 0;
                    for (var at = 0; at < 3; at++)
                    {
                        sum += first[row * 3 + at] * second[at * 3 + column];
                    }
                    product[row * 3 + column] = sum;
                }
            }
            return product;
        }

        private static void Placements()
        {
            var random = new System.Random(7);
            Func<double[]> rows = () =>
            {
                var q = Enumerable.Range(0, 4).Select(_ => random.NextDouble() * 2 - 1).ToArray();
                var length = Math.Sqrt(q.Sum(part => part * part));
                var scale = Enumerable.Range(0, 3).Select(_ => random.NextDouble() * 3 + 0.1).ToArray();
                if (random.Next(3) == 0)
                {
                    scale[1] = -scale[1];
                }
                return Rows(Enumerable.Range(0, 3).Select(_ => random.NextDouble() * 20 - 10).ToArray(), q.Select(part => part / length)
                    .ToArray(), scale);
            };
            for (var turn = 0; turn < 500; turn++)
            {
                double[] local = rows(), parent = rows();
                var found = new Placement(Multiplied(local, parent)).Below(new Placement(parent));
                Check.That("what stands below something", Enumerable.Range(0, 12).All(at => Near(found[at / 3, at % 3], local[at])));
                double[] position, rotation, scale;
                bool isSheared;
                new Placement(local).Split(out position, out rotation, out scale, out isSheared);
                var again = Rows(position, rotation, scale);
                Check.That("parts make the whole", Enumerable.Range(0, 12).All(at => Near(again[at], local[at])));
                Check.That("nothing is sheared", !isSheared);
            }
            double[] where, turned, size;
            bool sheared;
            new Placement(new double[] { 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0 }).Split(out where, out turned, out size, out sheared);
            Check.That("what is sheared is", sheared);
            Check.Equal("below something flat", Placement.Identity.Below(new Placement(new double[12])), null);
            Check.Throws<ArgumentException>("too few numbers", () => new Placement(new double[11]));
        }

        /// <summary>A model of glTF with a child below a parent, by which a file with both is made.</summary>
        private const string Model = @"{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[
{'name':'Child','translation':[1,2,3],'scale':[1,1,2]},
{'name':'Parent','translation':[10,0,0],'rotation':[0,0.7071067811865476,0,0.7071067811865476],'scale':[2,2,2],'children':[0]}]}";

        private static void Hierarchy()
        {
            File.WriteAllText("tree.gltf", Model.Replace("'nodes':[0]}]", "'nodes':[1]}]").Replace('\'', '"'));
            using (var session = new Session())
            {
                session.Import(new ImportRequest { Source = "tree.gltf", Output = "tree.nmo" }).All();
                using (var file = session.Open("tree.nmo"))
                {
                    var scene = VirtoolsScene.Read(session, file);
                    Check.Same("warnings", scene.Warnings, new string[0]);
                    var child = scene.Entities.Single(entity => entity.Name == "Child");
                    var parent = scene.Entities.Single(entity => entity.Name == "Parent");
                    Check.Equal("what it stands below", child.Parent, parent);
                    Check.That("parents come first", scene.Entities.IndexOf(parent) < scene.Entities.IndexOf(child));
                    double[] position, rotation, scale;
                    bool isSheared;
                    child.Local.Split(out position, out rotation, out scale, out isSheared);
                    // A model is right-handed: its z turns round.
                    Check.That("a child", Near(position[0], 1) && Near(position[1], 2) && Near(position[2], -3), string.Join(" ", position));
                    Check.That("its size", Near(scale[0], 1) && Near(scale[1], 1) && Near(scale[2], 2), string.Join(" ", scale));
                    Check.That("is not turned", Near(Math.Abs(rotation[3]), 1), string.Join(" ", rotation));
                    parent.Local.Split(out position, out rotation, out scale, out isSheared);
                    Check.That("a parent", Near(position[0], 10) && Near(scale[0], 2), string.Join(" ", position));
                    Check.That("is turned the other way round", Near(rotation[1] * rotation[3], -0.5), string.Join(" ", rotation));
                    var root = new VirtoolsBuilder(file, scene).Build("tree");
                    var made = root.transform.Children.Single();
                    Check.Equal("the parent in Unity", made.gameObject.name, "Parent");
                    Check.Equal("the child in Unity", made.Children.Single().gameObject.name, "Child");
                    Check.That("where it is", Near(made.Children[0].localPosition.z, -3));
                }
            }
        }

        private static void Imported()
        {
            // 2 by 2 pixels: the upper row red and green, the lower one blue and white.
            using (var writer = new BinaryWriter(File.Create("wood.bmp")))
            {
                writer.Write(new[] { (byte)'B', (byte)'M' });
                foreach (var value in new[] { 54 + 16, 0, 54, 40, 2, 2, 1 | (24 << 16), 0, 16, 2835, 2835, 0, 0 })
                {
                    writer.Write(value);
                }
                writer.Write(new byte[] { 255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0 });
            }
            var context = new AssetImportContext("level.nmo");
            new VirtoolsImporter().OnImportAsset(context);
            File.Delete("wood.bmp");
            Check.Same("errors of the import", context.Errors, new string[0]);
            Check.Same("warnings of the import", context.Warnings, new string[0]);
            Check.Same("what the asset consists of", context.Objects.Keys, new[] { "texture #0", "material #1", "mesh #2", "root" });
            Check.Same("what it depends on", context.Dependencies, new[] { "wood.bmp" });
            Check.Equal("the main object", context.mainObject, context.Objects["root"]);
            var cube = ((GameObject)context.mainObject).transform.Children.Single().gameObject;
            Check.Equal("its name", cube.name, "Cube");
            Check.That("where it is", Near(cube.transform.localPosition.y, 2) && Near(cube.transform.localRotation.w, 1)
                && Near(cube.transform.localScale.x, 1));
            Check.Same("its groups", cube.GetComponent<VirtoolsObject>().groups, new[] { "Phys_Floors" });
            Check.That("it is seen", cube.GetComponent<MeshRenderer>().enabled);
            var mesh = cube.GetComponent<MeshFilter>().sharedMesh;
            Check.Equal("the mesh of the asset", mesh, context.Objects["mesh #2"]);
            Check.Equal("triangles", mesh.Triangles.Values.Sum(part => part.Length), 36);
            Check.That("v goes up", Near(mesh.uv[0].y, 1) && Near(mesh.uv[2].y, 0) && Near(mesh.uv[1].x, 1));
            var material = cube.GetComponent<MeshRenderer>().sharedMaterials.Single();
            Check.Equal("the material", material.name, "Wood");
            Check.Equal("both sides", material.Properties["_Cull"], 0f);
            var texture = (Texture2D)material.Properties["_MainTex"];
            Check.Equal("the texture", texture.name, "Wood_Texture");
            Check.That("its lower left pixel is blue", texture.Pixels[0].b == 255 && texture.Pixels[0].r == 0);
            Check.That("its upper left pixel is red", texture.Pixels[2].r == 255 && texture.Pixels[2].b == 0);
            var without = new AssetImportContext("level.nmo");
            new VirtoolsImporter().OnImportAsset(without);
            Check.That("a picture that is not there is told", without.Warnings.Count == 1 && without.Warnings[0].Contains("wood.bmp"),
                string.Join("; ", without.Warnings));
        }

        /// <summary>A pyramid around the origin as a model of glTF, whose faces are counterclockwise as seen from outside, in a right-handed
        /// space.</summary>
        private static string Pyramid()
        {
            var bytes = new MemoryStream();
            var writer = new BinaryWriter(bytes);
            foreach (var number in new float[] { 1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1 })
            {
                writer.Write(number);
            }
            foreach (var vertex in new short[] { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 })
            {
                writer.Write(vertex);
            }
            return @"{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'name':'Pyramid','mesh':0}],
'meshes':[{'name':'Pyramid_Mesh','primitives':[{'attributes':{'POSITION':0},'indices':1}]}],
'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[-1,-1,-1],'max':[1,1,1]},
{'bufferView':1,'componentType':5123,'count':12,'type':'SCALAR'}],
'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':24}],
'buffers':[{'byteLength':72,'uri':'data:application/octet-stream;base64,".Replace('\'', '"')
                + Convert.ToBase64String(bytes.ToArray()) + "\"}]}";
        }

        /// <summary>Faces are clockwise as seen from outside, which is where Unity shows them from, and normals lead there.</summary>
        private static void Outward()
        {
            File.WriteAllText("pyramid.gltf", Pyramid());
            using (var session = new Session())
            {
                session.Import(new ImportRequest { Source = "pyramid.gltf", Output = "pyramid.nmo" }).All();
            }
            var context = new AssetImportContext("pyramid.nmo");
            new VirtoolsImporter().OnImportAsset(context);
            var mesh = context.Objects.Values.OfType<Mesh>().Single();
            Check.Equal("faces of a pyramid", mesh.Triangles.Values.Sum(part => part.Length), 12);
            foreach (var part in mesh.Triangles.Values)
            {
                for (var at = 0; at < part.Length; at += 3)
                {
                    Vector3 a = mesh.vertices[part[at]], b = mesh.vertices[part[at + 1]], c = mesh.vertices[part[at + 2]];
                    double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
                    // In a left-handed space this leads to where the face is seen clockwise from.
                    var outward = (uy * vz - uz * vy) * (a.x + b.x + c.x) + (uz * vx - ux * vz) * (a.y + b.y + c.y)
                        + (ux * vy - uy * vx) * (a.z + b.z + c.z);
                    Check.That("a face looks outward", outward > 0);
                }
            }
            for (var vertex = 0; vertex < mesh.vertices.Length; vertex++)
            {
                Vector3 p = mesh.vertices[vertex], n = mesh.normals[vertex];
                Check.That("a normal leads outward", p.x * n.x + p.y * n.y + p.z * n.z > 0);
            }
        }

        private static void Damaged()
        {
            var context = new AssetImportContext("menu.cmo");
            new VirtoolsImporter().OnImportAsset(context);
            Check.Equal("a damaged file is imported", context.Errors.Count, 0);
            Check.That("and its damage is told", context.Warnings.Any(warning => warning.Contains("VT057")), string.Join("; ", context.Warnings));
            File.WriteAllText("text.nmo", "no file of this kind");
            var other = new AssetImportContext("text.nmo");
            new VirtoolsImporter().OnImportAsset(other);
            Check.That("another kind of file is an error", other.Errors.Count == 1 && other.mainObject == null);
            File.Delete("text.nmo");
        }

        private static void Loaded()
        {
            Application.streamingAssetsPath = ".";
            var loader = new GameObject("loader").AddComponent<PackLoader>();
            Check.Throws<InvalidOperationException>("no pack is open", () => loader.Load("sounds/wind", null));
            loader.OpenBytes("forest.snpak", File.ReadAllBytes("forest.snpak"));
            var expected = new Dictionary<string, byte[]>();
            using (var pack = loader.File.OpenPack())
            {
                foreach (var row in loader.Session.Ls(new LsRequest { File = loader.File }).All())
                {
                    expected.Add(row.Path, pack.Load(row.Path));
                }
            }
            var came = new List<string>();
            PackLoader.Loaded loaded = (path, bytes, size) =>
            {
                came.Add(path);
                Check.Same("the payload of " + path, bytes.Take(size), expected[path]);
            };
            var failed = "";
            loader.Load("nothing", loaded, (path, error) => failed = error.Code);
            foreach (var path in expected.Keys)
            {
                loader.Load(path, loaded);
            }
            Check.Equal("one comes without any time", loader.LoadFor(0), 1);
            Check.Equal("it is not there", failed, "SP022");
            Check.Equal("one more", loader.LoadFor(0), 1);
            Check.Equal("the others wait", loader.Waiting, expected.Count - 1);
            loader.LoadFor(10000);
            Check.Same("all came in order", came, expected.Keys);
            Allocated(loader, expected.Keys.ToArray());
            loader.Close();
            Check.Throws<InvalidOperationException>("it is closed", () => loader.Load("sounds/wind", loaded));
        }

        private static void Allocated(PackLoader loader, string[] paths)
        {
            var total = 0L;
            PackLoader.Loaded counted = (path, bytes, size) => total += size;
            Action turn = () =>
            {
                for (var nth = 0; nth < paths.Length; nth++)
                {
                    loader.Load(paths[nth], counted);
                }
                loader.LoadFor(10000);
            };
            for (var nth = 0; nth < 10; nth++)
            {
                turn();
            }
            var meter = PackTests.Meter();
            var before = meter();
            for (var nth = 0; nth < 1000; nth++)
            {
                turn();
            }
            var allocated = meter() - before;
            Check.That("something came", total > 0);
            Check.That("loading by frames allocates nothing", allocated < 8192, allocated + " bytes");
        }
    }
}
