// Stand-ins for the parts of UnityEngine that the package uses, so that it is compiled, and run as far as it goes, where there is no Unity. They
// keep what they are given, and do nothing else: written from what the package calls, in words of our own.
using System;
using System.Collections.Generic;
using System.Linq;
using UnityEngine.Rendering;

namespace UnityEngine
{
    public class Object
    {
        public string name { get; set; }
    }

    public struct Vector2
    {
        public float x, y;

        public Vector2(float x, float y)
        {
            this.x = x;
            this.y = y;
        }
    }

    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    public struct Quaternion
    {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }
    }

    public struct Color
    {
        public float r, g, b, a;

        public Color(float r, float g, float b, float a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }
    }

    public struct Color32
    {
        public byte r, g, b, a;

        public Color32(byte r, byte g, byte b, byte a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }
    }

    public struct Rect
    {
        public Rect(float x, float y, float width, float height)
        {
        }
    }

    public static class Mathf
    {
        public static float Sqrt(float value)
        {
            return (float)Math.Sqrt(value);
        }

        public static float Max(float first, float second)
        {
            return Math.Max(first, second);
        }
    }

    public static class Debug
    {
        public static readonly List<string> Errors = new List<string>();

        public static void LogError(object message, Object context)
        {
            Errors.Add(message.ToString());
        }
    }

    public static class Application
    {
        public static string streamingAssetsPath { get; set; }
    }

    public static class Time
    {
        public static float unscaledDeltaTime { get; set; }
    }

    public static class GUI
    {
        public static void Label(Rect position, string text)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type type)
        {
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }

        public T GetComponent<T>()
        {
            return gameObject.GetComponent<T>();
        }
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; }
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public sealed class Transform : Component
    {
        public readonly List<Transform> Children = new List<Transform>();

        public Transform parent { get; private set; }

        public Vector3 localPosition { get; set; }

        public Quaternion localRotation { get; set; }

        public Vector3 localScale { get; set; }

        public void SetParent(Transform to, bool worldPositionStays)
        {
            parent = to;
            to.Children.Add(this);
        }
    }

    public sealed class GameObject : Object
    {
        private readonly List<Component> components = new List<Component>();

        public GameObject(string name)
        {
            this.name = name;
            transform = AddComponent<Transform>();
        }

        public Transform transform { get; private set; }

        public T AddComponent<T>() where T : Component, new()
        {
            var made = new T { gameObject = this };
            components.Add(made);
            return made;
        }

        public T GetComponent<T>()
        {
            return components.OfType<T>().FirstOrDefault();
        }
    }

    public sealed class MeshFilter : Component
    {
        public Mesh sharedMesh { get; set; }
    }

    public sealed class MeshRenderer : Component
    {
        public bool enabled { get; set; }

        public Material[] sharedMaterials { get; set; }
    }

    public sealed class Mesh : Object
    {
        public readonly Dictionary<int, int[]> Triangles = new Dictionary<int, int[]>();

        public IndexFormat indexFormat { get; set; }

        public Vector3[] vertices { get; set; }

        public Vector3[] normals { get; set; }

        public Vector2[] uv { get; set; }

        public Color32[] colors32 { get; set; }

        public int subMeshCount { get; set; }

        public void SetTriangles(int[] triangles, int submesh)
        {
            if (submesh >= subMeshCount)
            {
                throw new ArgumentOutOfRangeException("submesh");
            }
            Triangles[submesh] = triangles;
        }

        public void RecalculateBounds()
        {
        }
    }

    public sealed class Shader : Object
    {
        public static Shader Find(string name)
        {
            return new Shader { name = name };
        }
    }

    public class Texture : Object
    {
    }

    public enum TextureFormat
    {
        RGBA32 = 4,
    }

    public sealed class Texture2D : Texture
    {
        public Texture2D(int width, int height, TextureFormat format, bool mipChain)
        {
            this.width = width;
            this.height = height;
        }

        public int width { get; private set; }

        public int height { get; private set; }

        /// <summary>The pixels, the lower row first.</summary>
        public Color32[] Pixels { get; private set; }

        public void SetPixels32(Color32[] pixels)
        {
            if (pixels.Length != width * height)
            {
                throw new ArgumentException("as many pixels as the texture has", "pixels");
            }
            Pixels = pixels;
        }

        public void Apply(bool updateMipmaps, bool makeNoLongerReadable)
        {
        }
    }

    public sealed class Material : Object
    {
        public readonly Dictionary<string, object> Properties = new Dictionary<string, object>();
        public readonly HashSet<string> Keywords = new HashSet<string>();

        public Material(Shader shader)
        {
            this.shader = shader;
        }

        public Shader shader { get; private set; }

        public int renderQueue { get; set; }

        public bool HasProperty(string name)
        {
            return true;
        }

        public void SetColor(string name, Color value)
        {
            Properties[name] = value;
        }

        public void SetTexture(string name, Texture value)
        {
            Properties[name] = value;
        }

        public void SetFloat(string name, float value)
        {
            Properties[name] = value;
        }

        public void EnableKeyword(string keyword)
        {
            Keywords.Add(keyword);
        }

        public void SetOverrideTag(string tag, string value)
        {
        }
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat
    {
        UInt16 = 0,
        UInt32 = 1,
    }

    public enum CullMode
    {
        Off = 0,
        Front = 1,
        Back = 2,
    }

    public enum BlendMode
    {
        SrcAlpha = 5,
        OneMinusSrcAlpha = 10,
    }

    public enum RenderQueue
    {
        AlphaTest = 2450,
        Transparent = 3000,
    }

    public class RenderPipelineAsset : Object
    {
    }

    public static class GraphicsSettings
    {
        public static RenderPipelineAsset currentRenderPipeline { get; set; }
    }
}
