using System.IO;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEditor.UnityLinker;

namespace Spelunk.Unity.Editor
{
    /// <summary>Tells the linker of builds to keep the classes of requests and rows, whose properties are found by their names alone.</summary>
    public sealed class KeepTypes : IUnityLinkerProcessor
    {
        /// <summary>Before or after others does not matter.</summary>
        public int callbackOrder
        {
            get { return 0; }
        }

        /// <summary>The file that says what to keep.</summary>
        public string GenerateAdditionalLinkXmlFile(BuildReport report, UnityLinkerBuildPipelineData data)
        {
            return Path.GetFullPath("Packages/org.spelunk.unity/Editor/link.xml");
        }

        /// <summary>Nothing is to be done before. Newer editors do not ask.</summary>
        public void OnBeforeRun(BuildReport report, UnityLinkerBuildPipelineData data)
        {
        }

        /// <summary>Nothing is to be done after. Newer editors do not ask.</summary>
        public void OnAfterRun(BuildReport report, UnityLinkerBuildPipelineData data)
        {
        }
    }
}
