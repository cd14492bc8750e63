using System;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Spelunk.Tests
{
    /// <summary>Packs: what is found and loaded, and that loading allocates nothing managed.</summary>
    internal static class PackTests
    {
        internal static void Run()
        {
            using (var session = new Session())
            using (var file = session.Open("forest.snpak"))
            using (var pack = file.OpenPack())
            {
                Loaded(session, pack);
                Refused(pack);
                Allocated(pack);
            }
        }

        private static void Loaded(Session session, Pack pack)
        {
            foreach (var row in session.Ls(new LsRequest { File = "forest.snpak" }).All())
            {
                var asset = pack.Find(row.Path);
                Check.Equal("the number of " + row.Path, asset.Number, (ulong)row.Index);
                Check.Equal("the size of " + row.Path, asset.Size, row.Size);
                Check.Equal("the id of " + row.Path, asset.Id, row.AssetId);
                Check.Equal("by its id", pack.Find(row.AssetId).Number, asset.Number);
                using (var rows = session.Cat(new CatRequest { File = "forest.snpak", Path = row.Path }))
                {
                    rows.All();
                    var expected = rows.BodyNames.Count == 0 ? new byte[0] : rows.Body(rows.BodyNames[0]);
                    Check.Same("what cat gives of " + row.Path, pack.Load(row.Path), expected);
                }
            }
        }

        private static void Refused(Pack pack)
        {
            var asset = pack.Find("sounds/wind");
            var error = Check.Fails("an array that is too small", Status.TooSmall, "SP220", () => pack.Load(asset.Number, new byte[899]));
            Check.That("says what it takes", error.Message.Contains("900"), error.Message);
            ulong size;
            Check.That("no room is no error", !pack.TryLoad(asset.Number, IntPtr.Zero, 0, out size));
            Check.Equal("and says what it takes", size, 900ul);
            Check.Fails("a number that is none", Status.Failed, "SP022", () => pack.Load(1ul << 20, new byte[9]));
            Check.Throws<ArgumentNullException>("no array", () => pack.Load(asset.Number, (byte[])null));
            Check.Equal("a payload of nothing", pack.Load("sounds/silence").Length, 0);
            var longer = Enumerable.Repeat((byte)0xab, 1000).ToArray();
            Check.Equal("an array that is longer", pack.Load(asset.Number, longer), 900);
            Check.That("stays as it is behind the payload", longer.Skip(900).All(part => part == 0xab));
            Check.Fails("an array that there cannot be", Status.Failed, "SP010", () => Pack.MakeRoom(ref longer, ulong.MaxValue));
            Check.Equal("stays what it was", longer.Length, 1000);
            Pack.MakeRoom(ref longer, 1000);
            Check.Equal("and is long enough", longer.Length, 1000);
            Pack.MakeRoom(ref longer, 1001);
            Check.Equal("or grows", longer.Length, 2000);
            pack.Load(asset.Number, longer);
            var memory = Marshal.AllocHGlobal(900);
            Check.Equal("memory of the caller's", pack.Load(asset.Number, memory, 900), 900ul);
            Check.Equal("holds it", Marshal.ReadByte(memory, 899), longer[899]);
            Marshal.FreeHGlobal(memory);
#if NETSTANDARD2_1_OR_GREATER
            var spanned = new byte[1000];
            Check.Equal("a span", pack.Load(asset.Number, new Span<byte>(spanned, 50, 900)), 900);
            Check.Same("holds it", spanned.Skip(50).Take(900), longer.Take(900));
            Check.That("and nothing else is written", spanned.Take(50).Concat(spanned.Skip(950)).All(value => value == 0));
#endif
        }

        /// <summary>Bytes that this thread allocated so far.</summary>
        internal static Func<long> Meter()
        {
            var counter = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", BindingFlags.Public | BindingFlags.Static);
            if (counter != null)
            {
                return (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), counter);
            }
            // What there is in all: of no use while collections happen, which are counted beside it.
            return () => GC.GetTotalMemory(false);
        }

        private static void Allocated(Pack pack)
        {
            var meter = Meter();
            var names = new[] { "meshes/oak_trunk", "sounds/wind", "levels/forest", "textures/bark" };
            var numbers = names.Select(name => pack.Find(name).Number).ToArray();
            var buffer = new byte[4800];
            var memory = Marshal.AllocHGlobal(4800);
            ulong size = 0;
            var total = Load(pack, numbers, buffer, memory, 100, ref size);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            var collections = GC.CollectionCount(0);
            var before = meter();
            total += Load(pack, numbers, buffer, memory, 10000, ref size);
            var allocated = meter() - before;
            var collected = GC.CollectionCount(0) - collections;
            Check.That("something was loaded", total > 0);
            // The meter itself may cost the runtime a page; one object for each load would be hundreds of times that.
            Check.That("80000 loads allocate nothing", allocated < 8192, allocated + " bytes");
            Check.Equal("and let nothing be collected", collected, 0);
            before = meter();
            var kept = new object[10000];
            for (var nth = 0; nth < kept.Length; nth++)
            {
                kept[nth] = new byte[1];
            }
            Check.That("the meter sees small objects", meter() - before > 8192 * 10, (meter() - before) + " bytes");
            GC.KeepAlive(kept);
            Marshal.FreeHGlobal(memory);
        }

        private static long Load(Pack pack, ulong[] numbers, byte[] buffer, IntPtr memory, int turns, ref ulong size)
        {
            var total = 0L;
            for (var turn = 0; turn < turns; turn++)
            {
                for (var nth = 0; nth < numbers.Length; nth++)
                {
                    total += pack.Load(numbers[nth], buffer);
                    if (!pack.TryLoad(numbers[nth], memory, 4800, out size))
                    {
                        throw new InvalidOperationException("there is room");
                    }
                }
            }
            return total;
        }
    }
}
