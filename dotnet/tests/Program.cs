using System;
using System.Diagnostics;
using System.IO;

namespace Spelunk.Tests
{
    /// <summary>Tries the library from C#, and the package for Unity.</summary>
    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            if (arguments.Length != 2 || !File.Exists(Path.Combine(arguments[0], "level.nmo")))
            {
                Console.Error.WriteLine("usage: Spelunk.Tests.exe SAMPLES PACKAGE (folders: a sample of every format, what pack.sh made)");
                return 2;
            }
            var package = Path.GetFullPath(arguments[1]);
            var folder = Path.Combine(Path.GetTempPath(), "spelunk-tests-" + Process.GetCurrentProcess().Id);
            Directory.CreateDirectory(folder);
            try
            {
                foreach (var sample in Directory.GetFiles(arguments[0]))
                {
                    File.Copy(sample, Path.Combine(folder, Path.GetFileName(sample)));
                }
                Environment.CurrentDirectory = folder;
                Run("functions", NativeTests.Run);
                Run("misuse", MisuseTests.Run);
                Run("classes", ClassTests.Run);
                Run("rows", RowsTests.Run);
                Run("threads", ThreadTests.Run);
                Run("packs", PackTests.Run);
                Run("types", TypedTests.Run);
                Run("scenes", SceneTests.Run);
                Run("package", () => PackageTests.Run(package));
            }
            finally
            {
                Environment.CurrentDirectory = Path.GetTempPath();
                Directory.Delete(folder, true);
            }
            Console.WriteLine(Check.Passed + " checks passed, " + Check.Failed + " failed");
            return Check.Failed == 0 && Check.Passed > 0 ? 0 : 1;
        }

        private static void Run(string name, Action tests)
        {
            var before = Check.Passed + Check.Failed;
            try
            {
                tests();
            }
            catch (Exception error)
            {
                Check.That(name, false, error.ToString());
            }
            var count = Check.Passed + Check.Failed - before;
            Console.WriteLine(name + ": " + count + " checks");
            Check.That(name + " were tried", count > 0);
        }
    }
}
