using System;
using System.Collections.Generic;
using System.Linq;

namespace Spelunk.Tests
{
    /// <summary>Counts what was checked, and prints what is not as it should be.</summary>
    internal static class Check
    {
        private static readonly object Lock = new object();

        internal static int Passed { get; private set; }

        internal static int Failed { get; private set; }

        /// <summary>What is being checked.</summary>
        internal static void That(string name, bool holds, string detail = "")
        {
            lock (Lock)
            {
                if (holds)
                {
                    Passed++;
                    return;
                }
                Failed++;
                Console.WriteLine("FAILED " + name + (detail.Length == 0 ? "" : ": " + detail));
            }
        }

        internal static void Equal<T>(string name, T found, T expected)
        {
            That(name, EqualityComparer<T>.Default.Equals(found, expected), "found " + found + ", expected " + expected);
        }

        internal static void Same<T>(string name, IEnumerable<T> found, IEnumerable<T> expected)
        {
            var same = found.SequenceEqual(expected);
            That(name, same, same ? "" : "found " + string.Join(" ", found) + ", expected " + string.Join(" ", expected));
        }

        /// <summary>What is done has to fail in this way. Returns the error.</summary>
        internal static SpelunkException Fails(string name, Status status, string code, Action done)
        {
            try
            {
                done();
            }
            catch (SpelunkException error)
            {
                Equal(name + ": status", error.Status, status);
                Equal(name + ": code", error.Code, code);
                return error;
            }
            That(name, false, "nothing failed");
            return null;
        }

        /// <summary>What is done has to throw this.</summary>
        internal static void Throws<TError>(string name, Action done) where TError : Exception
        {
            try
            {
                done();
            }
            catch (TError)
            {
                That(name, true);
                return;
            }
            That(name, false, "nothing was thrown");
        }
    }
}
