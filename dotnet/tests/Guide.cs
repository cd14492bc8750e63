using System;
using System.Collections.Generic;
using System.Threading;
using Spelunk;

internal static class Guide
{
    private static void Main(string[] arguments)
    {
        Environment.CurrentDirectory = arguments[0];
        using (var session = new Session())
        {
            List(session);
            Mesh(session);
            Change(session);
            Load(session);
            Cancel(session);
            Fail(session);
        }
    }

    private static void List(Session session)
    {
        foreach (var row in session.Ls(new LsRequest { File = "level.nmo", Limit = 2 }))
        {
            Console.WriteLine(row.Class + " " + row.Name + ", " + row.Size + " B");
        }
    }

    private static void Mesh(Session session)
    {
        using (var file = session.Open("level.nmo"))
        using (var mesh = file.Mesh("CKMesh/Cube_Mesh"))
        {
            var positions = mesh.CopyPositions();
            Console.WriteLine(mesh.VertexCount + " vertices, the first at x = " + positions[0]);
        }
    }

    private static void Change(Session session)
    {
        using (var file = session.Open("level.nmo"))
        {
            var change = new FieldChange { Entry = "CKMaterial/Wood", Field = "material.diffuse", Value = "#ff0000" };
            session.Set(new SetRequest { File = file, Changes = new List<FieldChange> { change } }).All();
            var saved = session.Rewrite(new RewriteRequest { File = file, Output = "red.nmo", Force = true }).One();
            Console.WriteLine("saved " + saved.Output);
        }
    }

    private static void Load(Session session)
    {
        using (var file = session.Open("forest.snpak"))
        using (var pack = file.OpenPack())
        {
            // Once, as the level is loaded.
            var wind = pack.Find("sounds/wind");
            var buffer = new byte[wind.Size];
            // Each frame: nothing is allocated.
            var size = pack.Load(wind.Number, buffer);
            Console.WriteLine(size + " bytes of " + wind.Id);
        }
    }

    private static void Cancel(Session session)
    {
        using (var source = new CancellationTokenSource(TimeSpan.FromMinutes(1)))
        using (var rows = session.Verify(new VerifyRequest { Files = new List<FileRef> { "GameData.cff" } }))
        using (source.Token.Register(rows.Cancel))
        {
            foreach (var row in rows)
            {
                Console.WriteLine(row.File + ": " + row.Counts.Errors + " errors");
            }
        }
    }

    private static void Fail(Session session)
    {
        try
        {
            session.Open("nothing.nmo");
        }
        catch (SpelunkException error)
        {
            Console.WriteLine(error.Code + ", " + error.Status);
        }
        using (var rows = session.Info(new InfoRequest { Files = new List<FileRef> { "level.nmo", "nothing.nmo" } }))
        {
            // What is wrong with a file is no exception now, and the other files are worked on.
            rows.Throws = false;
            foreach (var row in rows)
            {
                Console.WriteLine(row.File + " is " + (row.Format ?? "none that can be opened"));
            }
            Console.WriteLine("exit code " + rows.ExitCode + ": " + rows.Diagnostics[0].Diagnostic.Code);
        }
    }
}
