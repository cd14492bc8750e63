#compdef spelunk
# Completion of spelunk for zsh, which asks the command itself for what is in its files.
_spelunk() {
    local kind line entry text about
    local -a lines given open opens closed closeds
    given=("${(@Q)words[1,CURRENT-1]}" "${(Q)IPREFIX}${(Q)PREFIX}")
    lines=("${(@f)$(${(Q)words[1]} __complete zsh -- "${given[@]}" 2>/dev/null)}")
    kind=$lines[1]
    for line in "${(@)lines[2,-1]}"; do
        entry=${line%%$'\t'*}
        text=${${line#*$'\t'}%%$'\t'*}
        about=${line##*$'\t'}
        [[ -n $text ]] || continue
        [[ -n $about ]] && about="$text  -- $about" || about=$text
        if [[ $entry == open ]]; then
            open+=("$text")
            opens+=("$about")
        else
            closed+=("$text")
            closeds+=("$about")
        fi
    done
    (( $#closed )) && compadd -U -V spelunk -l -d closeds -a closed
    (( $#open )) && compadd -U -V spelunk-open -S '' -l -d opens -a open
    case $kind in
    files*) _files ;;
    folders*) _files -/ ;;
    esac
}
if [[ $funcstack[1] == _spelunk ]]; then
    _spelunk "$@"
else
    compdef _spelunk spelunk
fi
