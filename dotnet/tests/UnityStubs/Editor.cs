// Stand-ins for the parts of UnityEditor that the package uses; see Engine.cs.
using System;
using System.Collections.Generic;

namespace UnityEditor.Build
{
    public interface IOrderedCallback
    {
        int callbackOrder { get; }
    }

    public interface IUnityLinkerProcessor : IOrderedCallback
    {
        string GenerateAdditionalLinkXmlFile(Reporting.BuildReport report, UnityLinker.UnityLinkerBuildPipelineData data);
    }
}

namespace UnityEditor.Build.Reporting
{
    public sealed class BuildReport
    {
    }
}

namespace UnityEditor.UnityLinker
{
    public sealed class UnityLinkerBuildPipelineData
    {
    }
}

#if UNITY_2020_2_OR_NEWER
namespace UnityEditor.AssetImporters
#else
namespace UnityEditor.Experimental.AssetImporters
#endif
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ScriptedImporterAttribute : Attribute
    {
        public ScriptedImporterAttribute(int version, string[] extensions)
        {
        }
    }

    public abstract class ScriptedImporter : UnityEngine.Object
    {
        public abstract void OnImportAsset(AssetImportContext context);
    }

    /// <summary>Keeps what an importer gives it. The real one is made by the editor alone.</summary>
    public sealed class AssetImportContext
    {
        public readonly Dictionary<string, UnityEngine.Object> Objects = new Dictionary<string, UnityEngine.Object>();
        public readonly List<string> Dependencies = new List<string>();
        public readonly List<string> Errors = new List<string>();
        public readonly List<string> Warnings = new List<string>();

        public AssetImportContext(string path)
        {
            assetPath = path;
        }

        public string assetPath { get; private set; }

        public UnityEngine.Object mainObject { get; private set; }

        public void AddObjectToAsset(string identifier, UnityEngine.Object added)
        {
            Objects.Add(identifier, added);
        }

        public void SetMainObject(UnityEngine.Object main)
        {
            mainObject = main;
        }

        public void DependsOnSourceAsset(string path)
        {
            Dependencies.Add(path);
        }

        public void LogImportError(string message)
        {
            Errors.Add(message);
        }

        public void LogImportWarning(string message)
        {
            Warnings.Add(message);
        }
    }
}

namespace UnityEditor
{
    /// <summary>Here so that the name of the space is known where its newer parts are left out.</summary>
    public static class EditorStandIn
    {
    }
}
