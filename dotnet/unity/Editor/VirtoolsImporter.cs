using System.IO;
using UnityEditor;
using UnityEngine;
#if UNITY_2020_2_OR_NEWER
using UnityEditor.AssetImporters;
#else
using UnityEditor.Experimental.AssetImporters;
#endif

namespace Spelunk.Unity.Editor
{
    /// <summary>Makes prefabs of Virtools files: what stands in their space, with meshes, materials and textures.</summary>
    [ScriptedImporter(1, new[] { "nmo", "cmo" })]
    public sealed class VirtoolsImporter : ScriptedImporter
    {
        /// <summary>The shader of materials; one that fits the pipeline of the project where none is chosen.</summary>
        public Shader shader;

        /// <summary>The code pages of names, such as gbk or cp1251; those of the West where none are given.</summary>
        public string codePages = "";

        /// <summary>Imports a file.</summary>
        public override void OnImportAsset(AssetImportContext context)
        {
            var path = Path.GetFullPath(context.assetPath);
            var options = new SessionOptions { CodePages = string.IsNullOrEmpty(codePages) ? null : codePages };
            try
            {
                using (var session = new Session(options))
                using (var file = session.Open(path))
                {
                    Import(context, session, file);
                }
            }
            catch (SpelunkException error)
            {
                context.LogImportError(context.assetPath + ": " + error.Message);
            }
        }

        private void Import(AssetImportContext context, Session session, SpelunkFile file)
        {
            var builder = new VirtoolsBuilder(file, VirtoolsScene.Read(session, file)) { Shader = shader };
            var root = builder.Build(Path.GetFileNameWithoutExtension(context.assetPath));
            // Paths, which stay the same as long as the file does, so that references to parts of it do too.
            foreach (var texture in builder.Textures)
            {
                context.AddObjectToAsset("texture " + texture.Key, texture.Value);
            }
            foreach (var material in builder.Materials)
            {
                context.AddObjectToAsset("material " + material.Key, material.Value);
            }
            foreach (var mesh in builder.Meshes)
            {
                context.AddObjectToAsset("mesh " + mesh.Key, mesh.Value);
            }
            context.AddObjectToAsset("root", root);
            context.SetMainObject(root);
            foreach (var name in builder.TextureFiles)
            {
                DependOn(context, name);
            }
            foreach (var warning in builder.Warnings)
            {
                context.LogImportWarning(context.assetPath + ": " + warning);
            }
        }

        /// <summary>A picture that changes changes what was imported. It lies beside the file, in Textures there, or in ../Textures.</summary>
        private static void DependOn(AssetImportContext context, string name)
        {
            var folder = Path.GetDirectoryName(context.assetPath) ?? "";
            foreach (var place in new[] { folder, Path.Combine(folder, "Textures"), Path.Combine(folder, "..", "Textures") })
            {
                var path = Path.Combine(place, Path.GetFileName(name));
                if (File.Exists(path))
                {
                    context.DependsOnSourceAsset(path.Replace('\\', '/'));
                    return;
                }
            }
        }
    }
}
