# Wat de regels zien in een zin die een controlemodel goedkeurt, naast wat het aanhaalt.
objection-value = de aangehaalde woorden bevatten '{ $said }' niet
objection-unit = er staat '{ $said }' waar de aangehaalde woorden '{ $found }' zeggen
objection-owner = '{ $value }' staat er bij { $name }, en { $path } gaat over iets anders
objection-name = de aangehaalde bron noemt '{ $name }' niet
objection-code = de aangehaalde bron heeft '{ $name }' niet
objection-period = er staat '{ $said }' waar de aangehaalde woorden '{ $found }' zeggen
objection-asked = de zin gaat over '{ $said }', en de vraag over '{ $asked }'
