using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

namespace Spelunk.Tests
{
    /// <summary>The package for Unity as pack.sh puts it together: what can be seen of it without Unity.</summary>
    internal static class PackageTests
    {
        internal static void Run(string package)
        {
            var manifest = JObject.Parse(File.ReadAllText(Path.Combine(package, "package.json")));
            Check.Equal("its name", (string)manifest["name"], "org.spelunk.unity");
            foreach (var sample in manifest["samples"])
            {
                Check.That("a sample is there", Directory.Exists(Path.Combine(package, (string)sample["path"])));
            }
            Assemblies(package);
            var ids = Ids(package);
            Scene(package, ids);
            Check.That("the library came along", File.Exists(Path.Combine(package, "Plugins/Linux/x86_64/libspelunk.so")));
            Check.That("the attribute for tests did not", !File.Exists(Path.Combine(package, "Runtime/Spelunk.Net/AssemblyInfo.cs")));
        }

        private static void Assemblies(string package)
        {
            var found = Directory.GetFiles(package, "*.asmdef", SearchOption.AllDirectories)
                .Select(path => JObject.Parse(File.ReadAllText(path))).ToList();
            var names = found.Select(assembly => (string)assembly["name"]).OrderBy(name => name, StringComparer.Ordinal).ToList();
            Check.Same("assemblies", names, new[] { "Spelunk.Net", "Spelunk.Unity", "Spelunk.Unity.Editor" });
            foreach (var assembly in found)
            {
                Check.That("references lead somewhere", assembly["references"].All(name => names.Contains((string)name)));
            }
            var own = File.ReadAllText(Path.Combine(package, "Editor/link.xml"));
            Check.That("the linker keeps an assembly that is there", own.Contains("fullname=\"Spelunk.Net\""));
        }

        /// <summary>The ids by the paths. Each file and folder has one, and each of them something to be of.</summary>
        private static Dictionary<string, string> Ids(string package)
        {
            var ids = new Dictionary<string, string>();
            foreach (var path in Directory.GetFileSystemEntries(package, "*", SearchOption.AllDirectories))
            {
                var name = path.Substring(package.Length).TrimStart('/');
                if (name.EndsWith(".meta", StringComparison.Ordinal))
                {
                    var of = path.Substring(0, path.Length - ".meta".Length);
                    Check.That(name + ": what it is of is there", File.Exists(of) || Directory.Exists(of));
                    var id = Regex.Match(File.ReadAllText(path), "^guid: ([0-9a-f]{32})$", RegexOptions.Multiline);
                    Check.That(name + ": it has an id", id.Success);
                    ids.Add(name, id.Groups[1].Value);
                }
                else if (name != "Samples~")
                {
                    Check.That(name + ": it has a .meta file", File.Exists(path + ".meta"));
                }
            }
            Check.That("files have ids", ids.Count > 30, ids.Count.ToString());
            Check.Equal("each id once", ids.Values.Distinct().Count(), ids.Count);
            return ids;
        }

        private static void Scene(string package, Dictionary<string, string> ids)
        {
            var text = File.ReadAllText(Path.Combine(package, "Samples~/PackLoading/PackLoading.unity"));
            var used = Regex.Matches(text, "m_Script: {fileID: 11500000, guid: ([0-9a-f]{32}), type: 3}").Cast<Match>()
                .Select(match => match.Groups[1].Value).ToList();
            var wanted = new[] { "Runtime/PackLoader.cs.meta", "Samples~/PackLoading/PackLoading.cs.meta" }.Select(name => ids[name]);
            Check.Same("scripts of the scene", used, wanted);
            var defined = Regex.Matches(text, "^--- !u!\\d+ &(\\d+)$", RegexOptions.Multiline).Cast<Match>()
                .Select(match => match.Groups[1].Value).ToList();
            var referred = Regex.Matches(text, "{fileID: (\\d+)}").Cast<Match>().Select(match => match.Groups[1].Value).ToList();
            Check.That("objects of the scene are there", referred.All(id => id == "0" || defined.Contains(id)));
            Check.Equal("each once", defined.Distinct().Count(), defined.Count);
        }
    }
}
