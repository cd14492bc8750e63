using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Spelunk
{
    /// <summary>Memory that the library lends until it is given back.</summary>
    public abstract class View : IDisposable
    {
        private readonly ViewHandle handle;

        internal View(IntPtr view)
        {
            handle = new ViewHandle(view);
        }

        /// <summary>Whether the memory is gone.</summary>
        public bool IsDisposed
        {
            get { return handle.IsClosed; }
        }

        /// <summary>Gives the memory back. Pointers and spans of it lead nowhere from now on.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        internal void Check()
        {
            if (handle.IsClosed)
            {
                throw new ObjectDisposedException(GetType().Name);
            }
        }

        /// <summary>Copies so many bytes that are lent into an array, which is pinned meanwhile.</summary>
        internal unsafe void Copy(void* from, Array into, long bytes)
        {
            handle.Enter();
            try
            {
                if (bytes == 0)
                {
                    return;
                }
                var pinned = GCHandle.Alloc(into, GCHandleType.Pinned);
                try
                {
                    Buffer.MemoryCopy(from, (void*)pinned.AddrOfPinnedObject(), bytes, bytes);
                }
                finally
                {
                    pinned.Free();
                }
            }
            finally
            {
                handle.Leave();
            }
        }
    }

    /// <summary>A mesh. Coordinates are left-handed, y up; faces are clockwise as seen from their front: as Unity has them. The upper left
    /// corner of a texture is 0, 0: Unity has the lower left one there.</summary>
    public sealed unsafe class MeshView : View
    {
        private readonly Native.Mesh mesh;
        private readonly string[] materials;

        internal MeshView(Native.Mesh mesh) : base(mesh.View)
        {
            this.mesh = mesh;
            materials = new string[Count(mesh.MaterialCount)];
            for (var slot = 0; slot < materials.Length; slot++)
            {
                materials[slot] = Utf8.Of(mesh.Materials[slot]);
            }
        }

        private static int Count(UIntPtr count)
        {
            return checked((int)count.ToUInt64());
        }

        /// <summary>Number of vertices.</summary>
        public int VertexCount
        {
            get { return Count(mesh.VertexCount); }
        }

        /// <summary>Number of faces.</summary>
        public int FaceCount
        {
            get { return Count(mesh.FaceCount); }
        }

        /// <summary>Number of lines.</summary>
        public int LineCount
        {
            get { return Count(mesh.LineCount); }
        }

        /// <summary>How many texture coordinates there are: one for each vertex, one for all, or none.</summary>
        public int UvCount
        {
            get { return Count(mesh.UvCount); }
        }

        /// <summary>How many colours there are: one for each vertex, one for all, or none.</summary>
        public int ColorCount
        {
            get { return Count(mesh.ColorCount); }
        }

        /// <summary>Whether there are normals.</summary>
        public bool HasNormals
        {
            get { return mesh.Normals != null; }
        }

        /// <summary>The path of the material of each slot; null for a slot without.</summary>
        public IList<string> Materials
        {
            get { return Array.AsReadOnly(materials); }
        }

        /// <summary>x, y, z of each vertex, as the library lends them.</summary>
        public IntPtr PositionsPointer
        {
            get { return Lent(mesh.Positions); }
        }

        /// <summary>x, y, z for each vertex; null where there are none.</summary>
        public IntPtr NormalsPointer
        {
            get { return Lent(mesh.Normals); }
        }

        /// <summary>u, v of each vertex, or of all.</summary>
        public IntPtr UvsPointer
        {
            get { return Lent(mesh.Uvs); }
        }

        /// <summary>The colour of each vertex, or of all, as 0xAARRGGBB.</summary>
        public IntPtr ColorsPointer
        {
            get { return Lent(mesh.Colors); }
        }

        /// <summary>Three vertices and the material slot of each face, in two bytes each.</summary>
        public IntPtr FacesPointer
        {
            get { return Lent(mesh.Faces); }
        }

        /// <summary>The two vertices of each line, in two bytes each.</summary>
        public IntPtr LinesPointer
        {
            get { return Lent(mesh.Lines); }
        }

        private IntPtr Lent(void* pointer)
        {
            Check();
            return (IntPtr)pointer;
        }

        /// <summary>A copy of the positions: x, y, z of each vertex.</summary>
        public float[] CopyPositions()
        {
            return Floats(mesh.Positions, VertexCount, 3);
        }

        /// <summary>A copy of the normals; empty where there are none.</summary>
        public float[] CopyNormals()
        {
            return Floats(mesh.Normals, HasNormals ? VertexCount : 0, 3);
        }

        /// <summary>A copy of the texture coordinates: u, v of each vertex, or of all.</summary>
        public float[] CopyUvs()
        {
            return Floats(mesh.Uvs, UvCount, 2);
        }

        /// <summary>A copy of the colours of each vertex, or of all, as 0xAARRGGBB.</summary>
        public uint[] CopyColors()
        {
            var copy = new uint[ColorCount];
            Copy(mesh.Colors, copy, copy.LongLength * sizeof(uint));
            return copy;
        }

        /// <summary>A copy of the faces: three vertices and the material slot of each.</summary>
        public ushort[] CopyFaces()
        {
            return Shorts(mesh.Faces, FaceCount, 4);
        }

        /// <summary>A copy of the lines: the two vertices of each.</summary>
        public ushort[] CopyLines()
        {
            return Shorts(mesh.Lines, LineCount, 2);
        }

        private float[] Floats(float* from, int count, int per)
        {
            var copy = new float[checked(count * per)];
            Copy(from, copy, copy.LongLength * sizeof(float));
            return copy;
        }

        private ushort[] Shorts(ushort* from, int count, int per)
        {
            var copy = new ushort[checked(count * per)];
            Copy(from, copy, copy.LongLength * sizeof(ushort));
            return copy;
        }

#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || UNITY_2021_2_OR_NEWER
        /// <summary>x, y, z of each vertex, without a copy. A span is good until the view is disposed, which has to be kept as long.</summary>
        public ReadOnlySpan<float> Positions
        {
            get { return new ReadOnlySpan<float>((void*)PositionsPointer, checked(VertexCount * 3)); }
        }

        /// <summary>The normals; empty where there are none.</summary>
        public ReadOnlySpan<float> Normals
        {
            get { return new ReadOnlySpan<float>((void*)NormalsPointer, HasNormals ? checked(VertexCount * 3) : 0); }
        }

        /// <summary>u, v of each vertex, or of all.</summary>
        public ReadOnlySpan<float> Uvs
        {
            get { return new ReadOnlySpan<float>((void*)UvsPointer, checked(UvCount * 2)); }
        }

        /// <summary>The colour of each vertex, or of all, as 0xAARRGGBB.</summary>
        public ReadOnlySpan<uint> Colors
        {
            get { return new ReadOnlySpan<uint>((void*)ColorsPointer, ColorCount); }
        }

        /// <summary>Three vertices and the material slot of each face.</summary>
        public ReadOnlySpan<ushort> Faces
        {
            get { return new ReadOnlySpan<ushort>((void*)FacesPointer, checked(FaceCount * 4)); }
        }

        /// <summary>The two vertices of each line.</summary>
        public ReadOnlySpan<ushort> Lines
        {
            get { return new ReadOnlySpan<ushort>((void*)LinesPointer, checked(LineCount * 2)); }
        }
#endif
    }

    /// <summary>A picture: red, green, blue and alpha of each pixel in a byte each, the upper row first.</summary>
    public sealed unsafe class ImageView : View
    {
        private readonly Native.Image image;

        internal ImageView(Native.Image image) : base(image.View)
        {
            this.image = image;
            File = Utf8.Of(image.File);
        }

        /// <summary>Width in pixels.</summary>
        public int Width
        {
            get { return checked((int)image.Width); }
        }

        /// <summary>Height in pixels.</summary>
        public int Height
        {
            get { return checked((int)image.Height); }
        }

        /// <summary>The name of the file beside the container that it was read of; null where the container holds it.</summary>
        public string File { get; private set; }

        /// <summary>The pixels, as the library lends them.</summary>
        public IntPtr PixelsPointer
        {
            get
            {
                Check();
                return (IntPtr)image.Pixels;
            }
        }

        /// <summary>A copy of the pixels.</summary>
        public byte[] CopyPixels()
        {
            var copy = new byte[checked(Width * Height * 4)];
            Copy(image.Pixels, copy, copy.LongLength);
            return copy;
        }

#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || UNITY_2021_2_OR_NEWER
        /// <summary>The pixels, without a copy. A span is good until the view is disposed, which has to be kept as long.</summary>
        public ReadOnlySpan<byte> Pixels
        {
            get { return new ReadOnlySpan<byte>((void*)PixelsPointer, checked(Width * Height * 4)); }
        }
#endif
    }
}
