using UnityEngine;
using UnityEngine.Rendering;

namespace Spelunk.Unity
{
    /// <summary>Materials for the shaders that come with Unity: Standard, and Lit of the universal and the high definition pipeline. Shaders
    /// of other names get what properties they have of the same names.</summary>
    internal static class Shaders
    {
        /// <summary>The usual shader of the pipeline of this project.</summary>
        internal static Shader Default()
        {
            var names = new[] { "Universal Render Pipeline/Lit", "HDRP/Lit", "Standard" };
            for (var nth = GraphicsSettings.currentRenderPipeline == null ? 2 : 0; nth < names.Length; nth++)
            {
                var found = Shader.Find(names[nth]);
                if (found != null)
                {
                    return found;
                }
            }
            return Shader.Find("Diffuse");
        }

        internal static void Set(Material material, VirtoolsMaterial known, Texture2D texture)
        {
            foreach (var name in new[] { "_Color", "_BaseColor" })
            {
                if (material.HasProperty(name))
                {
                    material.SetColor(name, Of(known.Diffuse));
                }
            }
            foreach (var name in new[] { "_MainTex", "_BaseMap", "_BaseColorMap" })
            {
                if (texture != null && material.HasProperty(name))
                {
                    material.SetTexture(name, texture);
                }
            }
            // What is rough spreads highlights: the exponent of the old model, as the one of the new.
            var roughness = Mathf.Sqrt(2 / (known.SpecularPower + 2));
            Number(material, "_Glossiness", 1 - roughness);
            Number(material, "_Smoothness", 1 - roughness);
            Number(material, "_Metallic", 0);
            if (known.Emissive[0] > 0 || known.Emissive[1] > 0 || known.Emissive[2] > 0)
            {
                material.EnableKeyword("_EMISSION");
                if (material.HasProperty("_EmissionColor"))
                {
                    material.SetColor("_EmissionColor", Of(known.Emissive));
                }
            }
            // Standard shows one side alone, whatever is set.
            Number(material, "_Cull", (float)(known.IsTwoSided ? CullMode.Off : CullMode.Back));
            if (known.IsBlended)
            {
                Blend(material);
            }
            else if (known.IsTested)
            {
                Number(material, "_Mode", 1);
                Number(material, "_AlphaClip", 1);
                Number(material, "_Cutoff", 0.5f);
                material.EnableKeyword("_ALPHATEST_ON");
                material.renderQueue = (int)RenderQueue.AlphaTest;
            }
        }

        private static void Blend(Material material)
        {
            Number(material, "_Mode", 2);
            Number(material, "_Surface", 1);
            Number(material, "_SrcBlend", (float)BlendMode.SrcAlpha);
            Number(material, "_DstBlend", (float)BlendMode.OneMinusSrcAlpha);
            Number(material, "_ZWrite", 0);
            material.SetOverrideTag("RenderType", "Transparent");
            material.EnableKeyword("_ALPHABLEND_ON");
            material.EnableKeyword("_SURFACE_TYPE_TRANSPARENT");
            material.renderQueue = (int)RenderQueue.Transparent;
        }

        private static void Number(Material material, string name, float value)
        {
            if (material.HasProperty(name))
            {
                material.SetFloat(name, value);
            }
        }

        private static Color Of(float[] parts)
        {
            return new Color(parts[0], parts[1], parts[2], parts[3]);
        }
    }
}
