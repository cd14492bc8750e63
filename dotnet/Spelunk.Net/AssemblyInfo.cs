using System.Runtime.CompilerServices;

// The tests try the functions themselves too: what no program can do by the classes is not possible to show otherwise.
[assembly: InternalsVisibleTo("Spelunk.Tests")]
