using System.Collections.Generic;
using Spelunk;
using Spelunk.Unity;
using UnityEngine;

/// <summary>Loads all assets of the pack beside it again and again, and shows how many came, and how long the longest frame took.</summary>
[RequireComponent(typeof(PackLoader))]
public sealed class PackLoading : MonoBehaviour
{
    private readonly List<string> paths = new List<string>();
    private PackLoader loader;
    private PackLoader.Loaded loaded;
    private long count, bytes;
    private float longest;

    private void Start()
    {
        loader = GetComponent<PackLoader>();
        // One delegate for all, so that none is made each frame.
        loaded = Take;
        if (loader.File == null)
        {
            Debug.LogError("Put a pack into StreamingAssets, and its name into the field packFile of PackLoader", this);
            enabled = false;
            return;
        }
        foreach (var row in loader.Session.Ls(new LsRequest { File = loader.File }).All())
        {
            paths.Add(row.Path);
        }
    }

    private void Update()
    {
        longest = Mathf.Max(longest, Time.unscaledDeltaTime * 1000);
        if (loader.Waiting > 0)
        {
            return;
        }
        for (var nth = 0; nth < paths.Count; nth++)
        {
            loader.Load(paths[nth], loaded);
        }
    }

    private void Take(string path, byte[] content, int size)
    {
        count++;
        bytes += size;
    }

    private void OnGUI()
    {
        var text = count + " assets, " + bytes / 1024 + " KiB; the longest frame took " + longest.ToString("0.0") + " ms";
        GUI.Label(new Rect(10, 10, 600, 30), text);
    }
}
