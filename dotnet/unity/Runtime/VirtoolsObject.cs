using UnityEngine;

namespace Spelunk.Unity
{
    /// <summary>Says what an object of a prefab was in the file that it came of.</summary>
    public sealed class VirtoolsObject : MonoBehaviour
    {
        /// <summary>The path by which verbs know it, such as #17.</summary>
        public string path;

        /// <summary>Name of its class.</summary>
        public string className;

        /// <summary>The groups that it is in.</summary>
        public string[] groups;
    }
}
