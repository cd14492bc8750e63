using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Spelunk
{
    /// <summary>A payload of a pack.</summary>
    public unsafe struct Asset
    {
        private readonly Native.Asset asset;

        internal Asset(Native.Asset asset)
        {
            this.asset = asset;
        }

        /// <summary>What the pack calls it.</summary>
        public ulong Number
        {
            get { return asset.Number; }
        }

        /// <summary>Its plain size in bytes.</summary>
        public ulong Size
        {
            get { return asset.Size; }
        }

        /// <summary>The id of its asset as text, in the order of the file.</summary>
        public string Id
        {
            get
            {
                var copy = asset;
                var text = new StringBuilder(36);
                for (var nth = 0; nth < 16; nth++)
                {
                    if (nth == 4 || nth == 6 || nth == 8 || nth == 10)
                    {
                        text.Append('-');
                    }
                    text.Append(copy.Id[nth].ToString("x2"));
                }
                return text.ToString();
            }
        }
    }

    /// <summary>The assets of a pack as they were when it was opened. Any number of threads may load at once.</summary>
    public sealed unsafe class Pack : IDisposable
    {
        private readonly PackHandle handle;

        internal Pack(PackHandle handle)
        {
            this.handle = handle;
        }

        /// <summary>Finds the payload at a path, such as sounds/wind, or of the asset with an id, by its text.</summary>
        public Asset Find(string path)
        {
            Native.Asset found;
            var pack = handle.Enter();
            try
            {
                fixed (byte* text = Utf8.Bytes(path))
                {
                    Failure.Check(Native.spl_pack_find(pack, text, &found));
                }
            }
            finally
            {
                handle.Leave();
            }
            return new Asset(found);
        }

        /// <summary>Loads a payload into memory of the caller's, checked against its hash, and says its plain size. It is false where that
        /// is more than there is room for: nothing was written then. Nothing managed is allocated.</summary>
        public bool TryLoad(ulong number, IntPtr buffer, ulong capacity, out ulong size)
        {
            UIntPtr found;
            int status;
            var pack = handle.Enter();
            try
            {
                status = Native.spl_pack_load(pack, number, (void*)buffer, new UIntPtr(capacity), &found);
            }
            finally
            {
                handle.Leave();
            }
            size = found.ToUInt64();
            if (status == (int)Status.TooSmall)
            {
                return false;
            }
            Failure.Check(status);
            return true;
        }

        /// <summary>Loads a payload into memory of the caller's. Returns its plain size; throws where there is no room for it.</summary>
        public ulong Load(ulong number, IntPtr buffer, ulong capacity)
        {
            ulong size;
            if (!TryLoad(number, buffer, capacity, out size))
            {
                // What the library says of it is still there.
                Failure.Check((int)Status.TooSmall);
            }
            return size;
        }

        /// <summary>Loads a payload to the beginning of an array. Returns its plain size; throws where there is no room for it. Nothing
        /// managed is allocated.</summary>
        public int Load(ulong number, byte[] buffer)
        {
            if (buffer == null)
            {
                throw new ArgumentNullException("buffer");
            }
            fixed (byte* first = buffer)
            {
                return checked((int)Load(number, (IntPtr)first, (ulong)buffer.LongLength));
            }
        }

        /// <summary>Makes an array of the size of a payload, or twice as long as it was, where the one that is there is too short. Throws
        /// where there can be none.</summary>
        public static void MakeRoom(ref byte[] buffer, ulong size)
        {
            // The most bytes that an array has.
            const ulong Most = 0x7FFFFFC7;
            var length = buffer == null ? 0UL : (ulong)buffer.LongLength;
            if (buffer != null && size <= length)
            {
                return;
            }
            try
            {
                buffer = new byte[checked((int)Math.Max(size, Math.Min(length * 2, Most)))];
            }
            catch (Exception error)
            {
                if (error is OverflowException || error is OutOfMemoryException)
                {
                    var about = "there is no array of " + size + " bytes";
                    throw new SpelunkException(Status.Failed, "SP010", about, "", null, null);
                }
                throw;
            }
        }

        /// <summary>Loads a payload into an array of its own.</summary>
        public byte[] Load(string path)
        {
            var asset = Find(path);
            byte[] bytes = null;
            MakeRoom(ref bytes, asset.Size);
            Load(asset.Number, bytes);
            return bytes;
        }

#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || UNITY_2021_2_OR_NEWER
        /// <summary>Loads a payload to the beginning of a span. Returns its plain size; throws where there is no room for it.</summary>
        public int Load(ulong number, Span<byte> buffer)
        {
            fixed (byte* first = &MemoryMarshal.GetReference(buffer))
            {
                return checked((int)Load(number, (IntPtr)first, (ulong)buffer.Length));
            }
        }
#endif

        /// <summary>Frees the pack.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
