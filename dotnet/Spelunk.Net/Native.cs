using System;
using System.Runtime.InteropServices;

namespace Spelunk
{
    /// <summary>The functions of the library as spelunk.h declares them. All arguments are numbers and pointers, so that nothing
    /// is converted on the way: text goes in as UTF-8 with a 0 behind it, and there are no callbacks.</summary>
    internal static unsafe class Native
    {
        // Where programs are linked into one, as on iOS, the library is a part of it.
#if UNITY_IOS && !UNITY_EDITOR
        private const string Library = "__Internal";
#else
        private const string Library = "spelunk";
#endif

        /// <summary>The interface that the declarations here are of.</summary>
        internal const uint AbiVersion = 1;

        internal const int End = 0;
        internal const int Row = 1;
        internal const int DiagnosticItem = 2;
        internal const int Note = 3;
        internal const int Body = 4;
        internal const int ProgressItem = 5;

        [StructLayout(LayoutKind.Sequential)]
        internal struct Item
        {
            internal int Kind;
            internal int Code;
            internal byte* File;
            internal byte* Text;
            internal UIntPtr Size;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Mesh
        {
            internal IntPtr View;
            internal UIntPtr VertexCount;
            internal float* Positions;
            internal float* Normals;
            internal float* Uvs;
            internal UIntPtr UvCount;
            internal uint* Colors;
            internal UIntPtr ColorCount;
            internal ushort* Faces;
            internal UIntPtr FaceCount;
            internal ushort* Lines;
            internal UIntPtr LineCount;
            internal byte** Materials;
            internal UIntPtr MaterialCount;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Image
        {
            internal IntPtr View;
            internal uint Width;
            internal uint Height;
            internal byte* Pixels;
            internal byte* File;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Asset
        {
            internal ulong Number;
            internal ulong Size;
            internal fixed byte Id[16];
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ErrorInfo
        {
            internal int Status;
            internal byte* Code;
            internal byte* Message;
            internal byte* Path;
            internal byte* Space;
            internal ulong Offset;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint spl_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern byte* spl_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_session_new(byte* options, IntPtr* session);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_open_path(IntPtr session, byte* path, IntPtr* file);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_open_bytes(IntPtr session, byte* name, byte* bytes, UIntPtr size, IntPtr* file);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_file_number(IntPtr file, ulong* number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_call(IntPtr session, byte* verb, byte* request, IntPtr* rows);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_next(IntPtr rows, Item* item);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_body(IntPtr rows, byte** bytes, UIntPtr* size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_mesh(IntPtr file, byte* path, Mesh* mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_image(IntPtr file, byte* path, UIntPtr slot, Image* image);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_pack_open(IntPtr file, IntPtr* pack);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_pack_find(IntPtr pack, byte* path, Asset* asset);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_pack_load(IntPtr pack, ulong number, void* buffer, UIntPtr capacity, UIntPtr* size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern ErrorInfo* spl_error();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_cancel(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int spl_free(IntPtr handle);
    }
}
