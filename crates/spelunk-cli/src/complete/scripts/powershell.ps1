# Completion of spelunk for PowerShell, which asks the command itself for what is in its files.
Register-ArgumentCompleter -Native -CommandName spelunk -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    $ends = 0
    foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $ends = $element.Extent.EndOffset
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $words += ':' + $element.Value
        } else {
            $words += ':' + $element.Extent.Text
        }
    }
    if ($ends -lt $cursorPosition) { $words += ':' }
    $program = $words[0].Substring(1)
    $lines = @(& $program __complete powershell -- $words 2>$null)
    # Without an answer PowerShell completes names of files by itself.
    foreach ($line in ($lines | Select-Object -Skip 1)) {
        $text, $about = $line -split "`t", 2
        if (-not $about) { $about = $text }
        $written = $text
        if ($text -match '[\s#;&|<>(){}$`''",@\[\]]') {
            $written = "'" + $text.Replace("'", "''") + "'"
        }
        [System.Management.Automation.CompletionResult]::new($written, $text, 'ParameterValue', $about)
    }
}
