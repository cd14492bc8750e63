using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Newtonsoft.Json.Linq;

namespace Spelunk.Unity
{
    /// <summary>An object of a Virtools file.</summary>
    public abstract class VirtoolsItem
    {
        /// <summary>Its position in the object table.</summary>
        public int Index { get; internal set; }

        /// <summary>Its name.</summary>
        public string Name { get; internal set; }

        /// <summary>The path by which verbs and views know it.</summary>
        public string Path
        {
            get { return "#" + Index.ToString(CultureInfo.InvariantCulture); }
        }
    }

    /// <summary>What has a place in space.</summary>
    public sealed class VirtoolsEntity : VirtoolsItem
    {
        /// <summary>Name of its class.</summary>
        public string Class { get; internal set; }

        /// <summary>What it stands below; null where it stands alone.</summary>
        public VirtoolsEntity Parent { get; internal set; }

        /// <summary>The position of its mesh in the object table; null where it has none.</summary>
        public int? Mesh { get; internal set; }

        /// <summary>Whether it is not seen.</summary>
        public bool IsHidden { get; internal set; }

        /// <summary>Where it stands in the world.</summary>
        public Placement World { get; internal set; }

        /// <summary>Where it stands below its parent.</summary>
        public Placement Local { get; internal set; }

        /// <summary>The groups that it is in.</summary>
        public List<string> Groups { get; internal set; }
    }

    /// <summary>How a surface looks. Colours are red, green, blue and alpha from 0 to 1.</summary>
    public sealed class VirtoolsMaterial : VirtoolsItem
    {
        /// <summary>Colour in the light of lamps.</summary>
        public float[] Diffuse { get; internal set; }

        /// <summary>Colour without any light.</summary>
        public float[] Emissive { get; internal set; }

        /// <summary>The higher, the smaller are highlights.</summary>
        public float SpecularPower { get; internal set; }

        /// <summary>The position of its texture in the object table; null where it has none.</summary>
        public int? Texture { get; internal set; }

        /// <summary>Whether it is seen from both sides.</summary>
        public bool IsTwoSided { get; internal set; }

        /// <summary>Whether it is blended with what is behind it.</summary>
        public bool IsBlended { get; internal set; }

        /// <summary>Whether parts of it are left out by their alpha.</summary>
        public bool IsTested { get; internal set; }
    }

    /// <summary>A texture or a mesh, of which views give the rest.</summary>
    public sealed class VirtoolsContent : VirtoolsItem
    {
    }

    /// <summary>What stands in the space of a Virtools file, read by the verbs `query` and `show`. It knows nothing of Unity.</summary>
    public sealed class VirtoolsScene
    {
        private readonly Session session;
        private readonly SpelunkFile file;

        private VirtoolsScene(Session session, SpelunkFile file)
        {
            this.session = session;
            this.file = file;
            Warnings = new List<string>();
        }

        /// <summary>The entities; parents come before what stands below them.</summary>
        public List<VirtoolsEntity> Entities { get; private set; }

        /// <summary>The materials by their positions in the object table.</summary>
        public Dictionary<int, VirtoolsMaterial> Materials { get; private set; }

        /// <summary>The textures by their positions in the object table.</summary>
        public Dictionary<int, VirtoolsContent> Textures { get; private set; }

        /// <summary>The meshes by their positions in the object table.</summary>
        public Dictionary<int, VirtoolsContent> Meshes { get; private set; }

        /// <summary>What could not be read or shown.</summary>
        public List<string> Warnings { get; private set; }

        /// <summary>Reads the scene of a file that is open.</summary>
        public static VirtoolsScene Read(Session session, SpelunkFile file)
        {
            var scene = new VirtoolsScene(session, file);
            scene.Textures = scene.Contents("textures");
            scene.Meshes = scene.Contents("meshes");
            scene.ReadMaterials();
            scene.ReadEntities();
            return scene;
        }

        /// <summary>The answer to a statement.</summary>
        private List<IDictionary<string, JToken>> Ask(string statement)
        {
            var rows = session.Query(new QueryRequest { Files = new List<FileRef> { file }, Sql = statement });
            var answer = rows.All().Select(row => row.Others).ToList();
            Tell(rows);
            return answer;
        }

        /// <summary>Keeps errors that rows came with, each once.</summary>
        private void Tell(RowsBase rows)
        {
            foreach (var told in rows.Diagnostics.Where(told => told.Diagnostic.Severity == "error"))
            {
                var line = told.ToString();
                if (!Warnings.Contains(line))
                {
                    Warnings.Add(line);
                }
            }
        }

        private static int? Number(JToken value)
        {
            return value == null || value.Type == JTokenType.Null ? (int?)null : value.Value<int>();
        }

        private static string Text(JToken value)
        {
            return value == null || value.Type == JTokenType.Null ? "" : value.Value<string>();
        }

        /// <summary>The position that a path says, such as 17 of #17; null where it says none.</summary>
        internal static int? Position(string path)
        {
            int found;
            var isNumber = path != null && path.StartsWith("#", System.StringComparison.Ordinal)
                && int.TryParse(path.Substring(1), NumberStyles.None, CultureInfo.InvariantCulture, out found);
            return isNumber ? int.Parse(path.Substring(1), CultureInfo.InvariantCulture) : (int?)null;
        }

        private Dictionary<int, VirtoolsContent> Contents(string table)
        {
            var found = new Dictionary<int, VirtoolsContent>();
            foreach (var row in Ask("SELECT DISTINCT object, name FROM " + table))
            {
                var index = row["object"].Value<int>();
                found[index] = new VirtoolsContent { Index = index, Name = Text(row["name"]) };
            }
            return found;
        }

        private void ReadMaterials()
        {
            Materials = new Dictionary<int, VirtoolsMaterial>();
            foreach (var row in Ask("SELECT object, name, diffuse, emissive, specular_power, texture FROM materials"))
            {
                var index = row["object"].Value<int>();
                Materials[index] = new VirtoolsMaterial
                {
                    Index = index,
                    Name = Text(row["name"]),
                    Diffuse = Color(Text(row["diffuse"]), 1),
                    Emissive = Color(Text(row["emissive"]), 0),
                    SpecularPower = row["specular_power"].Type == JTokenType.Null ? 0 : row["specular_power"].Value<float>(),
                    Texture = Number(row["texture"]),
                };
            }
            foreach (var material in Materials.Values)
            {
                // Names of flags, rather than bits: they are the same whatever the version of the file.
                var stored = Fields(material).FirstOrDefault(field => field.Path == "material.flags");
                var meaning = stored == null ? null : stored.Meaning;
                var flags = (meaning ?? "").Split('|').Select(flag => flag.Trim()).ToList();
                material.IsTwoSided = flags.Contains("two sided");
                material.IsBlended = flags.Contains("alpha blend");
                material.IsTested = flags.Contains("alpha test");
            }
        }

        /// <summary>The fields of an object. `show` goes to it at once; the table of fields in `query` goes through all of a file.</summary>
        private List<ShowField> Fields(VirtoolsItem item)
        {
            var rows = session.Show(new ShowRequest { File = file, Path = item.Path });
            // What can be read of a damaged object is better than nothing.
            rows.Throws = false;
            var fields = rows.All().SelectMany(row => row.Fields).ToList();
            Tell(rows);
            return fields;
        }

        /// <summary>The parts of a colour such as #rrggbbaa.</summary>
        private static float[] Color(string text, float otherwise)
        {
            var color = new[] { otherwise, otherwise, otherwise, 1 };
            for (var part = 0; part < 4 && text.Length >= 3 + part * 2; part++)
            {
                byte value;
                if (byte.TryParse(text.Substring(1 + part * 2, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out value))
                {
                    color[part] = value / 255f;
                }
            }
            return color;
        }

        private void ReadEntities()
        {
            var rows = Ask("SELECT object, name, class, parent, mesh, hidden FROM entities");
            var known = new Dictionary<int, VirtoolsEntity>();
            foreach (var row in rows)
            {
                var index = row["object"].Value<int>();
                known[index] = new VirtoolsEntity
                {
                    Index = index,
                    Name = Text(row["name"]),
                    Class = Text(row["class"]),
                    Mesh = Number(row["mesh"]),
                    IsHidden = Number(row["hidden"]) == 1,
                    Groups = new List<string>(),
                };
            }
            foreach (var row in rows)
            {
                VirtoolsEntity parent;
                if (Number(row["parent"]) != null && known.TryGetValue(Number(row["parent"]).Value, out parent))
                {
                    known[row["object"].Value<int>()].Parent = parent;
                }
            }
            foreach (var entity in known.Values)
            {
                entity.World = Place(entity);
            }
            foreach (var row in Ask("SELECT name, member FROM group_members"))
            {
                VirtoolsEntity member;
                if (Number(row["member"]) != null && known.TryGetValue(Number(row["member"]).Value, out member))
                {
                    member.Groups.Add(Text(row["name"]));
                }
            }
            Arrange(rows.Select(row => known[row["object"].Value<int>()]));
        }

        // The rows of a placement, as fields of an entity.
        private static readonly string[] Axes = { "entity.x_axis", "entity.y_axis", "entity.z_axis", "entity.position" };

        /// <summary>Reads where an entity stands in the world.</summary>
        private Placement Place(VirtoolsEntity entity)
        {
            var numbers = Enumerable.Repeat(double.NaN, 12).ToArray();
            var isStored = false;
            foreach (var field in Fields(entity))
            {
                var parts = field.Path.Split('[', ']');
                var row = System.Array.IndexOf(Axes, parts[0]);
                int column;
                if (row < 0 || parts.Length < 2
                    || !int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out column) || column > 2)
                {
                    continue;
                }
                isStored = true;
                // What is no number, such as infinity, is no number in JSON.
                if (field.Value != null && (field.Value.Type == JTokenType.Float || field.Value.Type == JTokenType.Integer))
                {
                    numbers[row * 3 + column] = field.Value.Value<double>();
                }
            }
            var placement = new Placement(numbers);
            if (isStored && !placement.IsFinite)
            {
                Warnings.Add(entity.Path + " " + entity.Name + ": it has no place, and stands at the origin");
            }
            return placement.IsFinite ? placement : Placement.Identity;
        }

        /// <summary>Puts parents first, and says where entities stand below them.</summary>
        private void Arrange(IEnumerable<VirtoolsEntity> entities)
        {
            Entities = new List<VirtoolsEntity>();
            var done = new HashSet<VirtoolsEntity>();
            foreach (var entity in entities)
            {
                // From the entity up to what is done, or to the end of its parents.
                var above = new List<VirtoolsEntity>();
                for (var next = entity; next != null && !done.Contains(next); next = next.Parent)
                {
                    if (above.Contains(next))
                    {
                        Warnings.Add(next.Path + " " + next.Name + ": it stands below itself, and stands alone here");
                        above[above.Count - 1].Parent = null;
                        break;
                    }
                    above.Add(next);
                }
                above.Reverse();
                foreach (var next in above)
                {
                    Arrange(next);
                    done.Add(next);
                }
            }
        }

        private void Arrange(VirtoolsEntity entity)
        {
            var local = entity.Parent == null ? entity.World : entity.World.Below(entity.Parent.World);
            if (local == null)
            {
                Warnings.Add(entity.Path + " " + entity.Name + ": what it stands below is flat, so it stands alone here");
                entity.Parent = null;
                local = entity.World;
            }
            entity.Local = local;
            Entities.Add(entity);
        }
    }
}
