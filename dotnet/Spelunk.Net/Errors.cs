using System;

namespace Spelunk
{
    /// <summary>What a function of the library returned.</summary>
    public enum Status
    {
        /// <summary>It did what it says.</summary>
        Ok = 0,

        /// <summary>An argument is not what the function takes. Nothing was done.</summary>
        Misuse = 1,

        /// <summary>Another thread uses the same file or rows. Nothing was done; it can be tried again.</summary>
        Busy = 2,

        /// <summary>The buffer is too small. Nothing was written to it.</summary>
        TooSmall = 3,

        /// <summary>It failed: the file is damaged, is of another format, was not found, takes too much memory, and so on.</summary>
        Failed = 4,

        /// <summary>A mistake in the library, which goes on working. Please report it.</summary>
        Panicked = 5,
    }

    /// <summary>Something that the library did not do, with what it says of it.</summary>
    public sealed class SpelunkException : Exception
    {
        internal SpelunkException(Status status, string code, string message, string path, string space, ulong? offset)
            : base(message)
        {
            Status = status;
            Code = code;
            Path = path;
            Space = space;
            Offset = offset;
        }

        /// <summary>What the function returned.</summary>
        public Status Status { get; private set; }

        /// <summary>The code, such as SP022, which the verb `explain` describes.</summary>
        public string Code { get; private set; }

        /// <summary>The path of the field that it is about; empty where it is about none.</summary>
        public string Path { get; private set; }

        /// <summary>The space of bytes where it is: `file`, or the name of an inflated section. Null where no place is known.</summary>
        public string Space { get; private set; }

        /// <summary>The offset there, in bytes.</summary>
        public ulong? Offset { get; private set; }

        /// <summary>The exit code of the verb that failed; null where no verb did.</summary>
        public int? ExitCode { get; internal set; }
    }

    internal static unsafe class Failure
    {
        private static volatile bool isChecked;

        /// <summary>Sees to it once that the library has the interface that is declared here.</summary>
        internal static void CheckVersion()
        {
            if (isChecked)
            {
                return;
            }
            var found = Native.spl_abi_version();
            if (found != Native.AbiVersion)
            {
                throw new NotSupportedException(
                    "the library has the interface " + found + ", and this assembly is for " + Native.AbiVersion);
            }
            isChecked = true;
        }

        /// <summary>Throws what the library says of the last call of this thread, where that did not do what it says.</summary>
        internal static void Check(int status)
        {
            if (status != (int)Status.Ok)
            {
                throw Last(status);
            }
        }

        private static SpelunkException Last(int status)
        {
            var info = Native.spl_error();
            if (info == null)
            {
                return new SpelunkException((Status)status, "", "the library says nothing about it", "", null, null);
            }
            var space = Utf8.Of(info->Space);
            var offset = space == null ? (ulong?)null : info->Offset;
            var code = Utf8.Of(info->Code);
            var message = code + ": " + Utf8.Of(info->Message);
            return new SpelunkException((Status)status, code, message, Utf8.Of(info->Path), space, offset);
        }
    }
}
