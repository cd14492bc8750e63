using System;
using System.IO;
using Newtonsoft.Json;

namespace Spelunk
{
    /// <summary>Requests and rows as text. Settings are its own, whatever the program sets for all of its JSON.</summary>
    internal static class Json
    {
        private static readonly JsonSerializer Serializer = JsonSerializer.Create(new JsonSerializerSettings
        {
            // Texts that look like dates are texts, and what names begin with has no meaning of its own.
            DateParseHandling = DateParseHandling.None,
            MetadataPropertyHandling = MetadataPropertyHandling.Ignore,
            NullValueHandling = NullValueHandling.Ignore,
            // Trees of entries are deep, and no attack: the library made them.
            MaxDepth = 1024,
        });

        internal static string Write(object value)
        {
            var writer = new StringWriter(System.Globalization.CultureInfo.InvariantCulture);
            Serializer.Serialize(writer, value);
            return writer.ToString();
        }

        internal static T Read<T>(string text)
        {
            using (var reader = new JsonTextReader(new StringReader(text)))
            {
                return Serializer.Deserialize<T>(reader);
            }
        }
    }

    /// <summary>A file of a request: its name, or one that the session has open.</summary>
    [JsonConverter(typeof(FileRefConverter))]
    public sealed class FileRef
    {
        private readonly string name;
        private readonly SpelunkFile file;

        private FileRef(string name, SpelunkFile file)
        {
            this.name = name;
            this.file = file;
        }

        /// <summary>The file of the disk that has this name.</summary>
        public static implicit operator FileRef(string name)
        {
            return name == null ? null : new FileRef(name, null);
        }

        /// <summary>A file that is open, with what was changed in it.</summary>
        public static implicit operator FileRef(SpelunkFile file)
        {
            return file == null ? null : new FileRef(null, file);
        }

        internal void Write(JsonWriter writer)
        {
            if (file == null)
            {
                writer.WriteValue(name);
            }
            else
            {
                writer.WriteValue(file.Number);
            }
        }
    }

    /// <summary>Writes files of requests as the library takes them.</summary>
    internal sealed class FileRefConverter : JsonConverter
    {
        public override bool CanConvert(Type type)
        {
            return type == typeof(FileRef);
        }

        public override bool CanRead
        {
            get { return false; }
        }

        public override object ReadJson(JsonReader reader, Type type, object existing, JsonSerializer serializer)
        {
            throw new NotSupportedException("requests are written, not read");
        }

        public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
        {
            ((FileRef)value).Write(writer);
        }
    }
}
