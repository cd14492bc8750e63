namespace Spelunk.Tests { internal static class SceneTests { internal static void Run() { Check.That("x", true); } } }
