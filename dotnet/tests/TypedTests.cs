using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Spelunk.Tests
{
    /// <summary>Requests of every verb on every sample: each row is read by its class, which has to know all of it, and writes the same
    /// again.</summary>
    internal static class TypedTests
    {
        private static readonly JsonSerializer Strict = Reader(MissingMemberHandling.Error);

        // Of a class that takes whatever comes nothing is missing.
        private static readonly JsonSerializer Open = Reader(MissingMemberHandling.Ignore);

        private static JsonSerializer Reader(MissingMemberHandling missing)
        {
            return JsonSerializer.Create(new JsonSerializerSettings
            {
                MissingMemberHandling = missing,
                DateParseHandling = DateParseHandling.None,
                MetadataPropertyHandling = MetadataPropertyHandling.Ignore,
                NullValueHandling = NullValueHandling.Ignore,
            });
        }

        private static bool IsOpen(Type type)
        {
            return type.GetProperties().Any(property => property.GetCustomAttribute<JsonExtensionDataAttribute>() != null);
        }

        private static readonly Dictionary<string, int> Rows = new Dictionary<string, int>();

        internal static void Run()
        {
            var files = Directory.GetFiles(".").Select(Path.GetFileName).OrderBy(name => name, StringComparer.Ordinal).ToList();
            using (var session = new Session())
            {
                Sources(session);
                foreach (var file in files)
                {
                    Cases.Prepare(session, file);
                    foreach (var entry in Cases.Of(file).Concat(Cases.OfEntries(session, file)))
                    {
                        Try(session, file, entry.Key, entry.Value);
                    }
                }
                foreach (var entry in Cases.Special())
                {
                    Try(session, "level.nmo", entry.Key, entry.Value);
                }
            }
            Details();
            var verbs = typeof(Session).GetMethods().Where(IsVerb).Select(method => method.Name.ToLowerInvariant()).ToList();
            Check.Equal("verbs", verbs.Count, 36);
            var silent = verbs.Where(verb => !Rows.ContainsKey(verb)).ToList();
            // `cat` has no rows: what it gives are bytes.
            Check.Same("verbs whose rows no request gave", silent, new[] { "cat" });
            Console.WriteLine("  " + Rows.Values.Sum() + " rows of " + Rows.Count + " verbs");
        }

        private static bool IsVerb(MethodInfo method)
        {
            var parameters = method.GetParameters();
            return parameters.Length == 1 && parameters[0].ParameterType.Name == method.Name + "Request";
        }

        /// <summary>Files that imports read.</summary>
        private static void Sources(Session session)
        {
            session.Export(new ExportRequest { File = "level.nmo", Output = "level.glb" }).All();
            session.Export(new ExportRequest { File = "level.nmo", Output = "level.json" }).All();
            Check.That("sources of imports", File.Exists("level.glb") && File.Exists("level.json"));
        }

        private static string Words(string verb)
        {
            return char.ToUpperInvariant(verb[0]) + verb.Substring(1);
        }

        private static Type Class(string name)
        {
            return typeof(Session).Assembly.GetType("Spelunk." + name);
        }

        private static void Try(Session session, string file, string verb, JObject request)
        {
            var about = verb + " " + request.ToString(Formatting.None);
            Known(about, Class(Words(verb) + "Request"), request);
            using (var rows = session.Call(verb, request.ToString(Formatting.None)))
            {
                rows.Throws = false;
                foreach (var row in rows)
                {
                    Read(about, Class(Words(verb) + "Row"), row);
                    Rows[verb] = (Rows.ContainsKey(verb) ? Rows[verb] : 0) + 1;
                }
                // A request that is none would be one of these tests.
                var wrong = rows.Diagnostics.Where(told => told.Diagnostic.Code == "SP190").ToList();
                Check.That(about + ": is a request", wrong.Count == 0, wrong.Count == 0 ? "" : wrong[0].ToString());
            }
            foreach (var made in new[] { "new.out", "patch.json" })
            {
                File.Delete(made);
            }
        }

        /// <summary>The class of a request has all that is asked for.</summary>
        private static void Known(string about, Type type, JObject request)
        {
            var known = type.GetProperties().Select(property => property.GetCustomAttribute<JsonPropertyAttribute>().PropertyName);
            var unknown = request.Properties().Select(property => property.Name).Except(known).ToList();
            Check.That(about + ": is in the class", unknown.Count == 0, string.Join(", ", unknown));
        }

        /// <summary>A class reads all of a row, and writes it as it was.</summary>
        internal static void Read(string about, Type type, string row)
        {
            JToken original;
            using (var reader = new JsonTextReader(new StringReader(row)) { DateParseHandling = DateParseHandling.None })
            {
                original = JToken.ReadFrom(reader);
            }
            try
            {
                object read;
                using (var reader = new JsonTextReader(new StringReader(row)))
                {
                    read = (IsOpen(type) ? Open : Strict).Deserialize(reader, type);
                }
                var written = JToken.FromObject(read, Strict);
                var same = JToken.DeepEquals(Plain(original), Plain(written));
                Check.That(about + ": writes what it read", same, same ? "" : row + " became " + written.ToString(Formatting.None));
            }
            catch (JsonException error)
            {
                Check.That(about + ": is read by its class", false, error.Message + " in " + row);
            }
        }

        /// <summary>Without nulls, in the order of names, and with one kind of number: what means the same is the same.</summary>
        private static JToken Plain(JToken token)
        {
            var made = token as JObject;
            if (made != null)
            {
                var named = made.Properties().Where(property => property.Value.Type != JTokenType.Null);
                return new JObject(named.OrderBy(property => property.Name, StringComparer.Ordinal)
                    .Select(property => new JProperty(property.Name, Plain(property.Value))));
            }
            var list = token as JArray;
            if (list != null)
            {
                return new JArray(list.Select(Plain));
            }
            return token.Type == JTokenType.Float || token.Type == JTokenType.Integer ? new JValue(token.ToString()) : token;
        }

        /// <summary>What files say of themselves is read by the class of their format.</summary>
        private static void Details()
        {
            var classes = new Dictionary<string, Type>
            {
                { "virtools", typeof(InfoVirtools) }, { "snpak", typeof(InfoSnpak) }, { "spellforce-cff", typeof(InfoSpellforceCff) },
                { "spellforce-map", typeof(InfoSpellforceMap) }, { "spellforce-save", typeof(InfoSpellforceSave) },
                { "spellforce-pak", typeof(InfoSpellforcePak) }, { "spellforce-pakdata", typeof(InfoSpellforcePakdata) },
            };
            var seen = new HashSet<string>();
            using (var session = new Session())
            {
                foreach (var file in Directory.GetFiles(".").Select(Path.GetFileName).OrderBy(name => name, StringComparer.Ordinal))
                {
                    var rows = session.Info(new InfoRequest { Files = new List<FileRef> { file } });
                    rows.Throws = false;
                    foreach (var row in rows.All().Where(row => row.Format != null && classes.ContainsKey(row.Format)))
                    {
                        Read("details of " + file, classes[row.Format], row.Details.ToString(Formatting.None));
                        seen.Add(row.Format);
                    }
                }
            }
            Check.Same("formats of details", seen.OrderBy(name => name), classes.Keys.OrderBy(name => name));
        }
    }
}
