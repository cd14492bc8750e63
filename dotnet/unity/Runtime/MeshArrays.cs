using System;
using System.Collections.Generic;
using System.Linq;

namespace Spelunk.Unity
{
    /// <summary>A mesh with its faces sorted by their materials, as Unity has them. It knows nothing of Unity.
    /// Coordinates and the order of vertices in faces are the same in both: left-handed, y up, clockwise. Texture coordinates are not: a
    /// texture of Unity begins at the lower left corner, so v is turned round.</summary>
    public sealed class MeshArrays
    {
        private MeshArrays()
        {
        }

        /// <summary>x, y, z of each vertex.</summary>
        public float[] Positions { get; private set; }

        /// <summary>x, y, z for each vertex; empty where there are none.</summary>
        public float[] Normals { get; private set; }

        /// <summary>u, v of each vertex, from the lower left corner on; empty where there are none.</summary>
        public float[] Uvs { get; private set; }

        /// <summary>Red, green, blue and alpha of each vertex; empty where there are none, or one for all.</summary>
        public byte[] Colors { get; private set; }

        /// <summary>Vertices of the faces, three for each, by materials.</summary>
        public List<int[]> Triangles { get; private set; }

        /// <summary>The path of the material of each of these; null for one without.</summary>
        public List<string> Materials { get; private set; }

        /// <summary>Faces that were left out, because they have vertices that are not there.</summary>
        public int LeftOut { get; private set; }

        /// <summary>Reads a mesh.</summary>
        public static MeshArrays Of(MeshView view)
        {
            var made = new MeshArrays
            {
                Positions = view.CopyPositions(),
                Normals = view.CopyNormals(),
                Uvs = UvsOf(view),
                Colors = ColorsOf(view),
                Triangles = new List<int[]>(),
                Materials = new List<string>(),
            };
            made.Sort(view);
            return made;
        }

        private static float[] UvsOf(MeshView view)
        {
            var stored = view.CopyUvs();
            if (stored.Length == 0)
            {
                return stored;
            }
            var uvs = new float[view.VertexCount * 2];
            for (var vertex = 0; vertex < view.VertexCount; vertex++)
            {
                var at = view.UvCount == view.VertexCount ? vertex * 2 : 0;
                uvs[vertex * 2] = stored[at];
                uvs[vertex * 2 + 1] = 1 - stored[at + 1];
            }
            return uvs;
        }

        private static byte[] ColorsOf(MeshView view)
        {
            // One colour for all is no more than the material says.
            if (view.ColorCount != view.VertexCount || view.ColorCount < 2)
            {
                return new byte[0];
            }
            return view.CopyColors().SelectMany(color => new[]
            {
                (byte)(color >> 16), (byte)(color >> 8), (byte)color, (byte)(color >> 24),
            }).ToArray();
        }

        private void Sort(MeshView view)
        {
            var faces = view.CopyFaces();
            var sorted = new SortedDictionary<int, List<int>>();
            for (var at = 0; at + 3 < faces.Length; at += 4)
            {
                var last = Math.Max(faces[at], Math.Max(faces[at + 1], faces[at + 2]));
                if (last >= view.VertexCount)
                {
                    LeftOut++;
                    continue;
                }
                // Slots that are not there are slots without a material.
                var slot = faces[at + 3] < view.Materials.Count ? faces[at + 3] : -1;
                List<int> triangles;
                if (!sorted.TryGetValue(slot, out triangles))
                {
                    triangles = new List<int>();
                    sorted.Add(slot, triangles);
                }
                triangles.Add(faces[at]);
                triangles.Add(faces[at + 1]);
                triangles.Add(faces[at + 2]);
            }
            foreach (var pair in sorted)
            {
                Triangles.Add(pair.Value.ToArray());
                Materials.Add(pair.Key < 0 ? null : view.Materials[pair.Key]);
            }
        }

        /// <summary>Pixels with the lower row first, as textures of Unity have them.</summary>
        public static byte[] Turned(ImageView image)
        {
            var pixels = image.CopyPixels();
            var turned = new byte[pixels.Length];
            var row = image.Width * 4;
            for (var y = 0; y < image.Height; y++)
            {
                Buffer.BlockCopy(pixels, y * row, turned, (image.Height - 1 - y) * row, row);
            }
            return turned;
        }
    }
}
