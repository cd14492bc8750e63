using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json;

namespace Spelunk.Tests
{
    /// <summary>A door for the test of all doors: reads a request a line, a verb, a space and the request in JSON, and prints an answer a
    /// line, `{code, rows, body}`, with rows as texts in JSON, and in hexadecimal the bytes that were handed out.</summary>
    internal static class Door
    {
        private static int Main()
        {
            var text = new UTF8Encoding(false);
            using (var input = new StreamReader(Console.OpenStandardInput(), text))
            using (var output = new StreamWriter(Console.OpenStandardOutput(), text) { NewLine = "\n" })
            using (var session = new Session())
            {
                for (var line = input.ReadLine(); line != null; line = input.ReadLine())
                {
                    var gap = line.IndexOf(' ');
                    if (gap < 0)
                    {
                        Console.Error.WriteLine("a verb, a space and a request are expected");
                        return 2;
                    }
                    output.WriteLine(Answer(session, line.Substring(0, gap), line.Substring(gap + 1)));
                    output.Flush();
                }
            }
            return 0;
        }

        private static string Answer(Session session, string verb, string request)
        {
            using (var rows = session.Call(verb, request))
            {
                rows.Throws = false;
                var found = new List<string>(rows);
                var bytes = BitConverter.ToString(rows.BodyNames.SelectMany(rows.Body).ToArray());
                var body = bytes.Replace("-", "").ToLowerInvariant();
                return JsonConvert.SerializeObject(new { code = rows.ExitCode, rows = found, body });
            }
        }
    }
}
