using System.Collections.Generic;
using System.Linq;
using UnityEngine;
using UnityEngine.Rendering;

namespace Spelunk.Unity
{
    /// <summary>Makes objects of Unity of a Virtools file: the importer in the editor, and programs that open files as they run.</summary>
    public sealed class VirtoolsBuilder
    {
        private readonly SpelunkFile file;
        private readonly VirtoolsScene scene;
        private readonly Dictionary<int, Texture2D> textures = new Dictionary<int, Texture2D>();
        private readonly Dictionary<int, Material> materials = new Dictionary<int, Material>();
        private readonly Dictionary<int, KeyValuePair<Mesh, MeshArrays>> meshes = new Dictionary<int, KeyValuePair<Mesh, MeshArrays>>();

        /// <summary>Begins with a file that is open and what stands in it.</summary>
        public VirtoolsBuilder(SpelunkFile file, VirtoolsScene scene)
        {
            this.file = file;
            this.scene = scene;
            Warnings = new List<string>(scene.Warnings);
            TextureFiles = new List<string>();
        }

        /// <summary>The shader of materials; one that fits the pipeline where it is null.</summary>
        public Shader Shader { get; set; }

        /// <summary>What is not as it is in the file.</summary>
        public List<string> Warnings { get; private set; }

        /// <summary>Names of files beside the container that textures were read of.</summary>
        public List<string> TextureFiles { get; private set; }

        /// <summary>The textures that were made, by their paths.</summary>
        public IEnumerable<KeyValuePair<string, Texture2D>> Textures
        {
            get { return textures.Where(pair => pair.Value != null).Select(pair => Named(pair.Key, pair.Value)); }
        }

        /// <summary>The materials that were made, by their paths.</summary>
        public IEnumerable<KeyValuePair<string, Material>> Materials
        {
            get { return materials.Select(pair => Named(pair.Key, pair.Value)); }
        }

        /// <summary>The meshes that were made, by their paths.</summary>
        public IEnumerable<KeyValuePair<string, Mesh>> Meshes
        {
            get { return meshes.Where(pair => pair.Value.Key != null).Select(pair => Named(pair.Key, pair.Value.Key)); }
        }

        private static KeyValuePair<string, T> Named<T>(int index, T made)
        {
            return new KeyValuePair<string, T>("#" + index, made);
        }

        /// <summary>Makes all that stands in the scene, below an object of this name.</summary>
        public GameObject Build(string name)
        {
            var root = new GameObject(name);
            var made = new Dictionary<VirtoolsEntity, GameObject>();
            foreach (var entity in scene.Entities)
            {
                var parent = entity.Parent == null ? root : made[entity.Parent];
                made.Add(entity, Build(entity, parent.transform));
            }
            return root;
        }

        private GameObject Build(VirtoolsEntity entity, Transform parent)
        {
            var made = new GameObject(entity.Name.Length == 0 ? entity.Class + " " + entity.Path : entity.Name);
            made.transform.SetParent(parent, false);
            double[] position, rotation, scale;
            bool isSheared;
            entity.Local.Split(out position, out rotation, out scale, out isSheared);
            if (isSheared)
            {
                Warnings.Add(entity.Path + " " + entity.Name + ": it is sheared, which Unity cannot show");
            }
            made.transform.localPosition = new Vector3((float)position[0], (float)position[1], (float)position[2]);
            made.transform.localRotation =
                new Quaternion((float)rotation[0], (float)rotation[1], (float)rotation[2], (float)rotation[3]);
            made.transform.localScale = new Vector3((float)scale[0], (float)scale[1], (float)scale[2]);
            var about = made.AddComponent<VirtoolsObject>();
            about.path = entity.Path;
            about.className = entity.Class;
            about.groups = entity.Groups.ToArray();
            var mesh = entity.Mesh == null ? default(KeyValuePair<Mesh, MeshArrays>) : MeshOf(entity.Mesh.Value);
            if (mesh.Key != null)
            {
                made.AddComponent<MeshFilter>().sharedMesh = mesh.Key;
                var renderer = made.AddComponent<MeshRenderer>();
                renderer.sharedMaterials = mesh.Value.Materials.Select(path => MaterialOf(VirtoolsScene.Position(path))).ToArray();
                // What stands below something hidden may be seen, so the object itself stays active.
                renderer.enabled = !entity.IsHidden;
            }
            return made;
        }

        private KeyValuePair<Mesh, MeshArrays> MeshOf(int index)
        {
            KeyValuePair<Mesh, MeshArrays> made;
            if (!meshes.TryGetValue(index, out made))
            {
                try
                {
                    using (var view = file.Mesh("#" + index))
                    {
                        var arrays = MeshArrays.Of(view);
                        made = new KeyValuePair<Mesh, MeshArrays>(Build(index, arrays), arrays);
                    }
                }
                catch (SpelunkException error)
                {
                    Warnings.Add("#" + index + ": " + error.Message);
                }
                meshes.Add(index, made);
            }
            return made;
        }

        private Mesh Build(int index, MeshArrays arrays)
        {
            VirtoolsContent known;
            var name = scene.Meshes.TryGetValue(index, out known) ? known.Name : "#" + index;
            var count = arrays.Positions.Length / 3;
            var mesh = new Mesh { name = name };
            // The last number of two bytes means something else to Unity.
            mesh.indexFormat = count > ushort.MaxValue ? IndexFormat.UInt32 : IndexFormat.UInt16;
            mesh.vertices = Vectors(arrays.Positions);
            if (arrays.Normals.Length > 0)
            {
                mesh.normals = Vectors(arrays.Normals);
            }
            if (arrays.Uvs.Length > 0)
            {
                mesh.uv = Enumerable.Range(0, count).Select(at => new Vector2(arrays.Uvs[at * 2], arrays.Uvs[at * 2 + 1])).ToArray();
            }
            if (arrays.Colors.Length > 0)
            {
                mesh.colors32 = Enumerable.Range(0, count).Select(at => at * 4).Select(at => new Color32(
                    arrays.Colors[at], arrays.Colors[at + 1], arrays.Colors[at + 2], arrays.Colors[at + 3])).ToArray();
            }
            mesh.subMeshCount = arrays.Triangles.Count;
            for (var part = 0; part < arrays.Triangles.Count; part++)
            {
                mesh.SetTriangles(arrays.Triangles[part], part);
            }
            mesh.RecalculateBounds();
            if (arrays.LeftOut > 0)
            {
                Warnings.Add("#" + index + " " + name + ": " + arrays.LeftOut + " faces have vertices that are not there");
            }
            return mesh;
        }

        private static Vector3[] Vectors(float[] numbers)
        {
            var vectors = new Vector3[numbers.Length / 3];
            for (var at = 0; at < vectors.Length; at++)
            {
                vectors[at] = new Vector3(numbers[at * 3], numbers[at * 3 + 1], numbers[at * 3 + 2]);
            }
            return vectors;
        }

        /// <summary>The material at a position; one that all share for slots without.</summary>
        private Material MaterialOf(int? index)
        {
            var key = index ?? -1;
            Material made;
            if (!materials.TryGetValue(key, out made))
            {
                VirtoolsMaterial known;
                scene.Materials.TryGetValue(key, out known);
                made = Build(known);
                materials.Add(key, made);
            }
            return made;
        }

        private Material Build(VirtoolsMaterial known)
        {
            var shader = Shader != null ? Shader : Shaders.Default();
            var material = new Material(shader) { name = known == null ? "No material" : known.Name };
            if (known == null)
            {
                return material;
            }
            var texture = known.Texture == null ? null : TextureOf(known.Texture.Value);
            Shaders.Set(material, known, texture);
            return material;
        }

        private Texture2D TextureOf(int index)
        {
            Texture2D made;
            if (textures.TryGetValue(index, out made))
            {
                return made;
            }
            VirtoolsContent known;
            var name = scene.Textures.TryGetValue(index, out known) ? known.Name : "#" + index;
            try
            {
                using (var image = file.Image("#" + index))
                {
                    made = new Texture2D(image.Width, image.Height, TextureFormat.RGBA32, true) { name = name };
                    // All mips need room where there are any, so those are made of the largest one.
                    made.SetPixels32(Pixels(MeshArrays.Turned(image)));
                    made.Apply(true, false);
                    if (image.File != null)
                    {
                        TextureFiles.Add(image.File);
                    }
                }
            }
            catch (SpelunkException error)
            {
                Warnings.Add("#" + index + " " + name + ": " + error.Message);
            }
            textures.Add(index, made);
            return made;
        }

        private static Color32[] Pixels(byte[] bytes)
        {
            var pixels = new Color32[bytes.Length / 4];
            for (var at = 0; at < pixels.Length; at++)
            {
                pixels[at] = new Color32(bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3]);
            }
            return pixels;
        }
    }
}
