using System;
using System.Text;

namespace Spelunk
{
    /// <summary>Text as the library has it: UTF-8 with a 0 behind it.</summary>
    internal static unsafe class Utf8
    {
        // What is no Unicode is refused rather than replaced: a name with a replacement in it is that of another file.
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        /// <summary>The bytes of a text; null where there is none.</summary>
        internal static byte[] Bytes(string text)
        {
            if (text == null)
            {
                return null;
            }
            if (text.IndexOf('\0') >= 0)
            {
                throw new ArgumentException("the library takes no text with a 0 in it", "text");
            }
            var bytes = new byte[Strict.GetByteCount(text) + 1];
            Strict.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        /// <summary>The text that bytes stand for; null where there are none.</summary>
        internal static string Of(byte* bytes)
        {
            if (bytes == null)
            {
                return null;
            }
            var length = 0;
            while (bytes[length] != 0)
            {
                length++;
            }
            return Of(bytes, length);
        }

        internal static string Of(byte* bytes, int length)
        {
            return length == 0 ? "" : Encoding.UTF8.GetString(bytes, length);
        }
    }
}
