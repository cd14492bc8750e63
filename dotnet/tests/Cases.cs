using System.Collections.Generic;
using System.IO;
using System.Linq;
using Newtonsoft.Json.Linq;

namespace Spelunk.Tests
{
    using Case = KeyValuePair<string, JObject>;

    /// <summary>Requests for the tests of rows. FILE stands for the sample.</summary>
    internal static class Cases
    {
        /// <summary>A verb and its request, on a line each.</summary>
        private const string OfFiles = @"
info {'files':['FILE']}
info {'files':['FILE'],'missing_plugins':true}
info {'files':['FILE'],'for_people':true}
info {'files':['FILE'],'short':true}
ls {'file':'FILE'}
ls {'file':'FILE','offset':1,'limit':3}
ls {'file':'FILE','sort':'size','reverse':true,'columns':['path','size','type']}
ls {'file':'FILE','blocks':true}
tree {'file':'FILE'}
tree {'file':'FILE','flat':true}
tree {'file':'FILE','path':'scripts'}
tree {'file':'FILE','path':'scene'}
verify {'files':['FILE'],'roundtrip':true,'coverage':true}
verify {'files':['FILE'],'format':'sarif'}
refs {'file':'FILE','missing':true}
find {'pattern':'a','files':['FILE']}
find {'pattern':'1','files':['FILE'],'whole':true,'names':true}
overlay {'packs':['FILE']}
overlay {'packs':[{'prefix':'one/','file':'FILE'},'FILE'],'conflicts':true}
lint {'files':['FILE']}
lint {'files':['FILE'],'fix':true,'in_place':true,'dry_run':true}
lint {'files':['FILE'],'format':'sarif'}
rewrite {'file':'FILE','output':'new.out','recompress':true}
diff {'old':'FILE','new':'FILE','old_generation':1}
diff {'old':'FILE','new':'FILE','old_generation':1,'stat':true}
diff {'old':'FILE','new':'FILE','blocks':512}
diff {'old':'FILE','new':'FILE','patch':'patch.json','dry_run':true}
query {'files':['FILE'],'sql':'SELECT * FROM files'}
query {'files':['FILE'],'sql':'SELECT path AS columns, path, size AS output FROM entries LIMIT 9'}
query {'files':['FILE'],'sql':'DELETE FROM files'}
extract {'file':'FILE','directory':'out-of-it','dry_run':true,'included':true}
export {'file':'FILE','output':'out-of-it','to':'json','dry_run':true}
export {'file':'FILE','output':'out-of-it','to':'folder','dry_run':true}
export {'file':'FILE','output':'out-of-it','to':'csv','dry_run':true}
export {'file':'FILE','output':'out-of-it','to':'png','dry_run':true}
export {'file':'FILE','output':'out-of-it','to':'glb','dry_run':true}
import {'source':'FILE','output':'new.out'}
import {'source':'FILE','into':'FILE','layer':'heights','output':'new.out','dry_run':true}
explain {'subject':'FILE','place':'0x10'}
explain {'subject':'FILE','map':true}
explain {'subject':'FILE','hex':true,'place':'4','len':40}
explain {'subject':'FILE'}
add {'file':'FILE','path':'CKGroup/Lamps','in_place':true,'dry_run':true}
subset {'file':'FILE','paths':['*'],'output':'new.out'}
join {'files':['FILE','FILE'],'output':'new.out','on_conflict':['meshes=replace']}
merge {'base':'FILE','ours':'FILE','theirs':['FILE'],'output':'new.out'}
upgrade {'files':['FILE'],'directory':'new.out','dry_run':true,'lossy':true}
patch {'file':'FILE','patch':'FILE','output':'new.out'}
append {'file':'FILE','sources':['FILE'],'as':'data/new','compress':['zstd'],'dry_run':true}
pack {'source':'FILE','output':'new.out'}
compact {'file':'FILE','output':'new.out','target':'compat'}
repair {'file':'FILE','output':'new.out'}
repair {'file':'FILE','in_place':true,'dry_run':true}
rollback {'file':'FILE','output':'new.out','generation':1}
history {'file':'FILE'}
undo {'file':'FILE','dry_run':true}
redo {'file':'FILE','steps':2,'dry_run':true}
";

        /// <summary>What some sample alone has an answer to.</summary>
        private const string OfSome = @"
explain {'subject':'VT012'}
explain {'subject':'-13'}
explain {'codes':true}
query {'files':['level.nmo'],'tables':true}
query {'files':['level.nmo'],'sql':'UPDATE materials SET diffuse = \'#ff0000\'','update':true,'output':'new.out'}
import {'source':'level.glb','output':'new.out'}
import {'source':'level.json','output':'new.out','force':true}
import {'source':'level.glb','into':'level.nmo','output':'new.out'}
set {'file':'level.nmo','changes':['CKMaterial/Wood/material.specular_power=3'],'output':'new.out'}
set {'file':'level.nmo','changes':[{'entry':'CKMaterial/Wood','field':'material.diffuse','value':'#0000ff'}],'in_place':true,'dry_run':true}
diff {'old':'forest.snpak','new':'forest-appended.snpak'}
diff {'old':'forest.snpak','new':'forest-appended.snpak','blocks':256}
diff {'old':'forest.snpak','new':'forest-appended.snpak','stat':true}
diff {'old':'level.nmo','new':'changed.nmo'}
diff {'old':'level.nmo','new':'changed.nmo','patch':'patch.json'}
diff {'old':'level.nmo','new':'gameplay.nmo'}
diff {'old':'GameData.cff','new':'GameData-format3.cff'}
patch {'file':'level.nmo','patch':'change.json','output':'new.out'}
patch {'file':'other.nmo','patch':'change.json','output':'new.out'}
merge {'base':'level.nmo','ours':'changed.nmo','theirs':['other.nmo'],'output':'new.out'}
overlay {'packs':['forest.snpak','forest-appended.snpak','forest-delta.snpak'],'conflicts':true}
overlay {'packs':['forest.snpak'],'prefer':['mobile']}
rollback {'file':'forest-appended.snpak','output':'new.out','generation':1}
compact {'file':'forest-appended.snpak','output':'new.out'}
upgrade {'files':['forest-appended.snpak'],'directory':'new.out','dry_run':true}
history {'file':'kept.nmo'}
undo {'file':'kept.nmo','dry_run':true}
undo {'file':'kept.nmo'}
redo {'file':'kept.nmo','dry_run':true}
redo {'file':'kept.nmo'}
catalog {'trees':['.'],'output':'catalogue'}
lint {'list_rules':true}
pack {'source':'.','output':'new.out'}
refs {'file':'level.nmo','path':'CKMaterial/Wood','closure':true}
refs {'file':'gameplay.nmo','path':'CKParameterLocal/Call'}
";

        private static IEnumerable<Case> Parsed(string lines, string file)
        {
            foreach (var line in lines.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0))
            {
                var gap = line.IndexOf(' ');
                // Single quotes are easier to read here, and are JSON for this reader.
                var request = JObject.Parse(line.Substring(gap + 1).Replace("FILE", file));
                yield return new Case(line.Substring(0, gap), request);
            }
        }

        internal static IEnumerable<Case> Of(string file)
        {
            return Parsed(OfFiles, file);
        }

        internal static IEnumerable<Case> Special()
        {
            return Parsed(OfSome, "");
        }

        /// <summary>Makes the files that the special requests need, once.</summary>
        internal static void Prepare(Session session, string file)
        {
            if (file != "level.nmo" || File.Exists("changed.nmo"))
            {
                return;
            }
            Changed(session, "changed.nmo", "material.diffuse", "#ff0000", false);
            Changed(session, "other.nmo", "material.diffuse", "#00ff00", false);
            session.Diff(new DiffRequest { Old = "level.nmo", New = "changed.nmo", Patch = "change.json" }).All();
            File.Copy("level.nmo", "kept.nmo");
            Changed(session, null, "material.diffuse", "#0000ff", true);
        }

        private static void Changed(Session session, string output, string field, string value, bool history)
        {
            var request = new SetRequest
            {
                File = history ? "kept.nmo" : "level.nmo",
                Changes = new List<FieldChange> { new FieldChange { Entry = "CKMaterial/Wood", Field = field, Value = value } },
                Output = output,
            };
            if (history)
            {
                request.InPlace = true;
                request.History = true;
            }
            session.Set(request).All();
        }

        /// <summary>Requests of some entries of a file.</summary>
        internal static IEnumerable<Case> OfEntries(Session session, string file)
        {
            var rows = session.Ls(new LsRequest { File = file });
            rows.Throws = false;
            var paths = rows.All().Where(row => row.Path != null).Select(row => row.Path).ToList();
            var step = System.Math.Max(1, (paths.Count + 3) / 4);
            foreach (var path in paths.Where((_, nth) => nth % step == 0))
            {
                yield return new Case("show", JObject.FromObject(new { file, path }));
                yield return new Case("show", JObject.FromObject(new { file, path, for_people = true }));
                yield return new Case("show", JObject.FromObject(new { file, path, described = true }));
                yield return new Case("cat", JObject.FromObject(new { file, path }));
                yield return new Case("refs", JObject.FromObject(new { file, path, closure = true }));
                yield return new Case("tree", JObject.FromObject(new { file, path, flat = true }));
                yield return new Case("replace",
                    JObject.FromObject(new { file, path, source = file, raw = true, in_place = true, dry_run = true }));
                yield return new Case("rm", JObject.FromObject(new { file, paths = new[] { path }, in_place = true, dry_run = true }));
                yield return new Case("mv", JObject.FromObject(new { file, path, name = "renamed", in_place = true, dry_run = true }));
            }
        }
    }
}
