# Completion of spelunk for bash, which asks the command itself for what is in its files.
_spelunk() {
    local line kind=''
    COMPREPLY=()
    while IFS= read -r line; do
        if [ -z "$kind" ]; then
            kind="$line"
        else
            COMPREPLY+=("$line")
        fi
    done < <("${1/#\~/$HOME}" __complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    case "$kind" in
    files*)
        if [ ${#COMPREPLY[@]} -gt 0 ]; then
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
            compopt -o filenames 2>/dev/null
        fi
        ;;
    folders*) compopt -o dirnames +o default +o bashdefault 2>/dev/null ;;
    *) compopt +o default +o bashdefault 2>/dev/null ;;
    esac
    # What comes out of a file is quoted as names of files are.
    case "$kind" in *foreign*) compopt -o filenames 2>/dev/null ;; esac
    case "$kind" in *open*) compopt -o nospace 2>/dev/null ;; esac
}
if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
    complete -o bashdefault -o default -o nosort -F _spelunk spelunk
else
    complete -o bashdefault -o default -F _spelunk spelunk
fi
