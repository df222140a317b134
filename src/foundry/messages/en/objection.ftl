# What the rules see in a statement that a judge accepts, beside its quotes.
objection-value = the quoted words do not have '{ $said }'
objection-unit = it says '{ $said }' where the quoted words say '{ $found }'
objection-owner = it gives '{ $value }' for { $name }, and { $path } is about something else
objection-name = the quoted source does not mention '{ $name }'
objection-code = the quoted source does not have '{ $name }'
objection-period = it says '{ $said }' where the quoted words say '{ $found }'
objection-asked = it is about '{ $said }', and the question is about '{ $asked }'
