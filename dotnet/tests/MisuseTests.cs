using System;

namespace Spelunk.Tests
{
    /// <summary>What no function takes: every one with handles that are none, with null and with bytes that are no text.</summary>
    internal static unsafe class MisuseTests
    {
        private const string BadHandle = "SP219";
        private const string BadArgument = "SP220";

        private static IntPtr session, file, rows, pack, view, freed;

        private static void Refused(string name, int status, string code)
        {
            Check.Equal(name + ": status", status, (int)Status.Misuse);
            var info = Native.spl_error();
            Check.That(name + ": there is an error", info != null);
            Check.Equal(name + ": code", Utf8.Of(info->Code), code);
            Check.Equal(name + ": the error has the status", info->Status, (int)Status.Misuse);
            Check.That(name + ": message", Utf8.Of(info->Message).Length > 10);
        }

        internal static void Run()
        {
            session = NativeTests.Session();
            file = NativeTests.Open(session, "level.nmo");
            rows = NativeTests.Call(session, "ls", "{\"file\":\"level.nmo\"}");
            var packed = NativeTests.Open(session, "forest.snpak");
            IntPtr opened;
            Check.Equal("spl_pack_open", Native.spl_pack_open(packed, &opened), 0);
            pack = opened;
            Native.Mesh mesh;
            fixed (byte* path = NativeTests.Text("CKMesh/Cube_Mesh"))
            {
                Check.Equal("spl_mesh", Native.spl_mesh(file, path, &mesh), 0);
            }
            view = mesh.View;
            freed = NativeTests.Session();
            NativeTests.Free(freed);
            Handles();
            Nulls();
            NoText();
            Results();
            foreach (var handle in new[] { session, file, rows, packed, pack, view })
            {
                NativeTests.Free(handle);
                Refused("spl_free twice", Native.spl_free(handle), BadHandle);
            }
        }

        /// <summary>Calls each function with every handle that is not of the kind that it takes.</summary>
        private static void Handles()
        {
            var known = new[] { IntPtr.Zero, freed, session, file, rows, pack, view, new IntPtr(-1) };
            foreach (var handle in known)
            {
                var about = " with " + (handle == IntPtr.Zero ? "null" : "handle " + Array.IndexOf(known, handle));
                IntPtr made;
                UIntPtr size;
                fixed (byte* text = NativeTests.Text("level.nmo"), request = NativeTests.Text("{}"))
                {
                    if (handle != session)
                    {
                        Refused("spl_open_path" + about, Native.spl_open_path(handle, text, &made), BadHandle);
                        Refused("spl_open_bytes" + about,
                            Native.spl_open_bytes(handle, text, request, new UIntPtr(2), &made), BadHandle);
                        Refused("spl_call" + about, Native.spl_call(handle, text, request, &made), BadHandle);
                    }
                    if (handle != file)
                    {
                        ulong number;
                        Native.Mesh mesh;
                        Native.Image image;
                        Refused("spl_file_number" + about, Native.spl_file_number(handle, &number), BadHandle);
                        Refused("spl_mesh" + about, Native.spl_mesh(handle, text, &mesh), BadHandle);
                        Refused("spl_image" + about, Native.spl_image(handle, text, UIntPtr.Zero, &image), BadHandle);
                        Refused("spl_pack_open" + about, Native.spl_pack_open(handle, &made), BadHandle);
                    }
                    if (handle != rows)
                    {
                        Native.Item item;
                        byte* bytes;
                        Refused("spl_next" + about, Native.spl_next(handle, &item), BadHandle);
                        Refused("spl_body" + about, Native.spl_body(handle, &bytes, &size), BadHandle);
                    }
                    if (handle != pack)
                    {
                        Native.Asset asset;
                        Refused("spl_pack_find" + about, Native.spl_pack_find(handle, text, &asset), BadHandle);
                        Refused("spl_pack_load" + about, Native.spl_pack_load(handle, 0, null, UIntPtr.Zero, &size), BadHandle);
                    }
                    if (handle != session && handle != rows)
                    {
                        Refused("spl_cancel" + about, Native.spl_cancel(handle), BadHandle);
                    }
                }
            }
            Refused("spl_free of what was freed", Native.spl_free(freed), BadHandle);
            Refused("spl_free of what never was", Native.spl_free(new IntPtr(-1)), BadHandle);
        }

        private static void Nulls()
        {
            IntPtr made;
            UIntPtr size;
            byte* bytes;
            Native.Mesh mesh;
            Native.Image image;
            Native.Asset asset;
            fixed (byte* text = NativeTests.Text("level.nmo"))
            {
                Refused("spl_session_new(, null)", Native.spl_session_new(null, null), BadArgument);
                Refused("spl_open_path(null)", Native.spl_open_path(session, null, &made), BadArgument);
                Refused("spl_open_path(, null)", Native.spl_open_path(session, text, null), BadArgument);
                Refused("spl_open_bytes(null name)", Native.spl_open_bytes(session, null, text, new UIntPtr(1), &made), BadArgument);
                Refused("spl_open_bytes(null bytes)", Native.spl_open_bytes(session, text, null, new UIntPtr(1), &made), BadArgument);
                Refused("spl_open_bytes(, null)", Native.spl_open_bytes(session, text, text, new UIntPtr(1), null), BadArgument);
                Refused("spl_file_number(, null)", Native.spl_file_number(file, null), BadArgument);
                Refused("spl_call(null verb)", Native.spl_call(session, null, text, &made), BadArgument);
                Refused("spl_call(null request)", Native.spl_call(session, text, null, &made), BadArgument);
                Refused("spl_call(, null)", Native.spl_call(session, text, text, null), BadArgument);
                Refused("spl_next(, null)", Native.spl_next(rows, null), BadArgument);
                Refused("spl_body(null)", Native.spl_body(rows, null, &size), BadArgument);
                Refused("spl_body(, null)", Native.spl_body(rows, &bytes, null), BadArgument);
                Refused("spl_mesh(null)", Native.spl_mesh(file, null, &mesh), BadArgument);
                Refused("spl_mesh(, null)", Native.spl_mesh(file, text, null), BadArgument);
                Refused("spl_image(null)", Native.spl_image(file, null, UIntPtr.Zero, &image), BadArgument);
                Refused("spl_image(, null)", Native.spl_image(file, text, UIntPtr.Zero, null), BadArgument);
                Refused("spl_pack_open(, null)", Native.spl_pack_open(file, null), BadArgument);
                Refused("spl_pack_find(null)", Native.spl_pack_find(pack, null, &asset), BadArgument);
                Refused("spl_pack_find(, null)", Native.spl_pack_find(pack, text, null), BadArgument);
                Refused("spl_pack_load(null buffer)", Native.spl_pack_load(pack, 0, null, new UIntPtr(9), &size), BadArgument);
                Refused("spl_pack_load(, null)", Native.spl_pack_load(pack, 0, text, new UIntPtr(9), null), BadArgument);
            }
        }

        private static void NoText()
        {
            IntPtr made;
            Native.Mesh mesh;
            Native.Asset asset;
            fixed (byte* text = new byte[] { 0xff, 0xfe, 0 }, name = NativeTests.Text("ls"))
            {
                Refused("spl_session_new with no text", Native.spl_session_new(text, &made), BadArgument);
                Refused("spl_open_path with no text", Native.spl_open_path(session, text, &made), BadArgument);
                Refused("spl_open_bytes with no text", Native.spl_open_bytes(session, text, name, new UIntPtr(1), &made), BadArgument);
                Refused("spl_call with no text", Native.spl_call(session, text, name, &made), BadArgument);
                Refused("spl_call with no request", Native.spl_call(session, name, text, &made), BadArgument);
                Refused("spl_mesh with no text", Native.spl_mesh(file, text, &mesh), BadArgument);
                Refused("spl_pack_find with no text", Native.spl_pack_find(pack, text, &asset), BadArgument);
            }
            fixed (byte* options = NativeTests.Text("{\"stict\":true}"))
            {
                Refused("spl_session_new with an option that is none", Native.spl_session_new(options, &made), BadArgument);
            }
        }

        /// <summary>What is given by pointers is empty where a function fails.</summary>
        private static void Results()
        {
            var made = new IntPtr(7);
            var number = 7ul;
            var size = new UIntPtr(7);
            var mesh = new Native.Mesh { VertexCount = new UIntPtr(7), View = made };
            var item = new Native.Item { Kind = 7, Code = 7 };
            fixed (byte* text = NativeTests.Text("nothing-here"))
            {
                Check.Equal("a file that is not there", Native.spl_open_path(session, text, &made), (int)Status.Failed);
                Check.Equal("no handle of it", made, IntPtr.Zero);
                Native.spl_file_number(pack, &number);
                Check.Equal("no number of what is no file", number, 0ul);
                Native.spl_pack_load(file, 0, null, UIntPtr.Zero, &size);
                Check.Equal("no size of what is no pack", size, UIntPtr.Zero);
                Check.Equal("a mesh that is not there", Native.spl_mesh(file, text, &mesh), (int)Status.Failed);
                Check.That("nothing of it", mesh.View == IntPtr.Zero && mesh.VertexCount == UIntPtr.Zero);
                Native.spl_next(file, &item);
                Check.That("no item of what is no rows", item.Kind == Native.End && item.Code == 0 && item.Text != null);
            }
        }
    }
}
