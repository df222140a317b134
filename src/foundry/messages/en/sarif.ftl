# What readers of SARIF show about a verdict.
sarif-project = The folder of the project: that of foundry.yaml.
sarif-help-exact = One sentence or one table row of the cited sources, or of any if none is cited, says exactly this.
sarif-help-supported = A model judged that the sources say this, and quoted where.
sarif-help-contradicted = A source says the same with another value, name or polarity. Correct the statement, or the source.
sarif-help-unsupported = A model judged that the sources do not say this. Remove the statement, or add a source.
sarif-help-misattributed = Another source or page says this than the one that is cited. Correct the citation.
sarif-help-partly = A model judged that the sources say only a part of this. Cut the statement down to it.
sarif-help-unclear = No rule could settle this and no model did. Read the nearest passages and decide.
