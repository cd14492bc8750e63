# Completion of spelunk for fish, which asks the command itself for what is in its files.
function __spelunk_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -l lines ($words[1] __complete fish -- $words "$typed" 2>/dev/null)
    for line in $lines[2..-1]
        echo $line
    end
    switch "$lines[1]"
        case 'files*'
            __fish_complete_path "$typed"
        case 'folders*'
            __fish_complete_directories "$typed"
    end
end
complete -c spelunk -f -k -a '(__spelunk_complete)'
