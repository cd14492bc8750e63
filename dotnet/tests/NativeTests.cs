using System;
using System.IO;
using System.Text;

namespace Spelunk.Tests
{
    /// <summary>Each function once, as it is to be used, without the classes around it.</summary>
    internal static unsafe class NativeTests
    {
        internal static byte[] Text(string text)
        {
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        private static void Ok(string name, int status)
        {
            Check.Equal(name, status, (int)Status.Ok);
        }

        internal static IntPtr Session()
        {
            IntPtr session;
            Ok("spl_session_new", Native.spl_session_new(null, &session));
            return session;
        }

        internal static IntPtr Open(IntPtr session, string name)
        {
            IntPtr file;
            fixed (byte* path = Text(name))
            {
                Ok("spl_open_path " + name, Native.spl_open_path(session, path, &file));
            }
            return file;
        }

        internal static IntPtr Call(IntPtr session, string verb, string request)
        {
            IntPtr rows;
            fixed (byte* name = Text(verb), text = Text(request))
            {
                Ok("spl_call " + verb, Native.spl_call(session, name, text, &rows));
            }
            return rows;
        }

        internal static void Free(IntPtr handle)
        {
            Ok("spl_free", Native.spl_free(handle));
        }

        internal static void Run()
        {
            Check.Equal("spl_abi_version", Native.spl_abi_version(), Native.AbiVersion);
            var version = Utf8.Of(Native.spl_version());
            Check.That("spl_version", version.Split('.').Length == 3, version);
            Check.Equal("the size of an item", sizeof(Native.Item), 8 + 3 * IntPtr.Size);
            Check.Equal("the size of a mesh", sizeof(Native.Mesh), 14 * IntPtr.Size);
            Check.Equal("the size of a picture", sizeof(Native.Image), 3 * IntPtr.Size + 8);
            Check.Equal("the size of an asset", sizeof(Native.Asset), 32);
            var session = Session();
            Files(session);
            Rows(session);
            Views(session);
            Packs(session);
            Free(session);
            Ok("spl_free of null", Native.spl_free(IntPtr.Zero));
        }

        private static void Files(IntPtr session)
        {
            var file = Open(session, "level.nmo");
            ulong first, second;
            Ok("spl_file_number", Native.spl_file_number(file, &first));
            IntPtr other;
            var content = File.ReadAllBytes("level.nmo");
            fixed (byte* name = Text("copy.nmo"), bytes = content)
            {
                Ok("spl_open_bytes", Native.spl_open_bytes(session, name, bytes, new UIntPtr((uint)content.Length), &other));
            }
            // What the library has is a copy.
            Array.Clear(content, 0, content.Length);
            Ok("spl_file_number of bytes", Native.spl_file_number(other, &second));
            Check.That("files have numbers of their own", first != second);
            var rows = Call(session, "ls", "{\"file\":" + second + "}");
            Native.Item item;
            do
            {
                Ok("spl_next", Native.spl_next(rows, &item));
            }
            while (item.Kind == Native.ProgressItem);
            Check.Equal("the first row", item.Kind, Native.Row);
            Check.That("bytes have the name that was given", Utf8.Of(item.Text).Contains("\"file\":\"copy.nmo\""));
            Free(rows);
            Free(other);
            Free(file);
        }

        private static void Rows(IntPtr session)
        {
            var rows = Call(session, "cat", "{\"file\":\"level.nmo\",\"path\":\"CKMesh/Cube_Mesh\"}");
            Native.Item item;
            var found = 0L;
            do
            {
                Ok("spl_next", Native.spl_next(rows, &item));
                Check.Equal("the length of a text", Utf8.Of(item.Text).Length, (int)item.Size.ToUInt32());
                byte* bytes;
                UIntPtr size;
                var status = Native.spl_body(rows, &bytes, &size);
                if (item.Kind == Native.Body)
                {
                    Ok("spl_body", status);
                    found += (long)size.ToUInt64();
                }
                else
                {
                    Check.Equal("spl_body without one", status, (int)Status.Misuse);
                }
            }
            while (item.Kind != Native.End);
            Check.Equal("bytes of the entry", found, 344L);
            Ok("spl_next behind the end", Native.spl_next(rows, &item));
            Check.Equal("the end comes again", item.Kind, Native.End);
            Ok("spl_cancel of what ended", Native.spl_cancel(rows));
            Ok("spl_cancel of a session", Native.spl_cancel(session));
            Free(rows);
        }

        private static void Views(IntPtr session)
        {
            var file = Open(session, "level.nmo");
            Native.Mesh mesh;
            fixed (byte* path = Text("CK3dObject/Cube"))
            {
                Ok("spl_mesh", Native.spl_mesh(file, path, &mesh));
            }
            Free(file);
            Check.Equal("vertices", mesh.VertexCount.ToUInt32(), 8u);
            Check.Equal("the first coordinate, after the file was freed", mesh.Positions[0], -1f);
            Check.Equal("a slot without a material", (IntPtr)mesh.Materials[0], IntPtr.Zero);
            Free(mesh.View);
            file = Open(session, "textures.snpak");
            Native.Image image;
            fixed (byte* path = Text("textures/rgba8"))
            {
                Ok("spl_image", Native.spl_image(file, path, UIntPtr.Zero, &image));
            }
            Check.Equal("pixels of the picture", image.Width * image.Height * 4, 7680u);
            Check.Equal("the picture is in the container", (IntPtr)image.File, IntPtr.Zero);
            Free(image.View);
            Free(file);
        }

        private static void Packs(IntPtr session)
        {
            var file = Open(session, "forest.snpak");
            IntPtr pack;
            Ok("spl_pack_open", Native.spl_pack_open(file, &pack));
            Free(file);
            Native.Asset asset;
            fixed (byte* path = Text("sounds/wind"))
            {
                Ok("spl_pack_find", Native.spl_pack_find(pack, path, &asset));
            }
            Check.Equal("the number of an asset is its place", asset.Number, 3ul);
            Check.Equal("its size", asset.Size, 900ul);
            Check.Equal("its id begins", asset.Id[0], (byte)0x49);
            UIntPtr size;
            var buffer = new byte[900];
            fixed (byte* first = buffer)
            {
                Check.Equal("spl_pack_load without room", Native.spl_pack_load(pack, 3, first, new UIntPtr(899), &size),
                    (int)Status.TooSmall);
                Check.Equal("the size that it takes", size.ToUInt32(), 900u);
                Check.That("nothing was written", Array.TrueForAll(buffer, part => part == 0));
                Ok("spl_pack_load", Native.spl_pack_load(pack, 3, first, new UIntPtr(900), &size));
            }
            Check.That("something was written", Array.Exists(buffer, part => part != 0));
            Free(pack);
        }
    }
}
