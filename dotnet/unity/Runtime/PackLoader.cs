using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using UnityEngine;

namespace Spelunk.Unity
{
    /// <summary>Loads assets of a pack, so many milliseconds of each frame and no more than the payload that is begun then. All payloads go
    /// through one array, which grows to the largest: whoever asks takes what it needs of it at once. Nothing managed is allocated once all
    /// paths were asked for, and the queue and the array are as large as they get.</summary>
    public sealed class PackLoader : MonoBehaviour
    {
        /// <summary>Takes a payload: its path, the array, and how many bytes at its beginning are the payload's.</summary>
        public delegate void Loaded(string path, byte[] bytes, int size);

        private struct Wanted
        {
            internal string Path;
            internal Loaded Loaded;
            internal Action<string, SpelunkException> Failed;
        }

        private readonly Queue<Wanted> wanted = new Queue<Wanted>();
        private readonly Dictionary<string, Asset> assets = new Dictionary<string, Asset>();
        private byte[] buffer = new byte[1 << 16];
        private Session session;
        private SpelunkFile file;
        private Pack pack;

        /// <summary>The pack, in StreamingAssets. On Android these are inside of another file: open their bytes with `OpenBytes`.</summary>
        public string packFile;

        /// <summary>How many milliseconds of a frame loading may take.</summary>
        public float millisecondsPerFrame = 2;

        /// <summary>How many payloads were asked for and have not come yet.</summary>
        public int Waiting
        {
            get { return wanted.Count; }
        }

        /// <summary>The session, for verbs on the pack; null before it is open.</summary>
        public Session Session
        {
            get { return session; }
        }

        /// <summary>The pack as a file of the session; null before it is open.</summary>
        public SpelunkFile File
        {
            get { return file; }
        }

        private void OnEnable()
        {
            if (!string.IsNullOrEmpty(packFile))
            {
                Open(Path.Combine(Application.streamingAssetsPath, packFile));
            }
        }

        /// <summary>Opens a pack of the disk.</summary>
        public void Open(string path)
        {
            Close();
            session = new Session();
            file = session.Open(path);
            pack = file.OpenPack();
        }

        /// <summary>Opens a pack whose bytes these are.</summary>
        public void OpenBytes(string name, byte[] bytes)
        {
            Close();
            session = new Session();
            file = session.Open(name, bytes);
            pack = file.OpenPack();
        }

        /// <summary>Asks for the payload at a path. Both delegates are called by `Update`; `failed` may be null.</summary>
        public void Load(string path, Loaded loaded, Action<string, SpelunkException> failed = null)
        {
            if (pack == null)
            {
                throw new InvalidOperationException("no pack is open");
            }
            wanted.Enqueue(new Wanted { Path = path, Loaded = loaded, Failed = failed });
        }

        private void Update()
        {
            LoadFor(millisecondsPerFrame);
        }

        /// <summary>Loads what waits until the time is over; one payload at least, where one waits. Returns how many came.</summary>
        public int LoadFor(float milliseconds)
        {
            var end = Stopwatch.GetTimestamp() + (long)(milliseconds / 1000 * Stopwatch.Frequency);
            var count = 0;
            while (pack != null && wanted.Count > 0 && (count == 0 || Stopwatch.GetTimestamp() < end))
            {
                LoadNext(wanted.Dequeue());
                count++;
            }
            return count;
        }

        private void LoadNext(Wanted next)
        {
            int size;
            try
            {
                Asset asset;
                if (!assets.TryGetValue(next.Path, out asset))
                {
                    asset = pack.Find(next.Path);
                    assets.Add(next.Path, asset);
                }
                Pack.MakeRoom(ref buffer, asset.Size);
                size = pack.Load(asset.Number, buffer);
            }
            catch (SpelunkException error)
            {
                if (next.Failed == null)
                {
                    UnityEngine.Debug.LogError(next.Path + ": " + error.Message, this);
                }
                else
                {
                    next.Failed(next.Path, error);
                }
                return;
            }
            next.Loaded(next.Path, buffer, size);
        }

        private void OnDisable()
        {
            Close();
        }

        /// <summary>Closes the pack. What was asked for and has not come does not come any more.</summary>
        public void Close()
        {
            wanted.Clear();
            assets.Clear();
            if (pack != null)
            {
                pack.Dispose();
            }
            if (file != null)
            {
                file.Dispose();
            }
            if (session != null)
            {
                session.Dispose();
            }
            pack = null;
            file = null;
            session = null;
        }
    }
}
