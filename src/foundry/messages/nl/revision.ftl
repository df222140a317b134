# Revisies van één document, en wat mensen erover zeggen.

revision-linked = gekoppeld door { $author } op { $day }
revision-link-saved = { $newer } herziet { $older }.
revision-unlink-saved = { $newer } en { $older } zijn geen revisies van één document.
revision-same = { $path } kan zichzelf niet herzien.
    .fix = Noem twee bronnen.
revision-circle = { $older } herziet { $newer } al, volgens wat iemand koppelde.
    .fix = Voer eerst `foundry sources unlink` uit voor die koppeling.
revision-has-newer = { $path } heeft al een latere revisie: { $other }.
    .fix = Koppel aan die revisie, of ontkoppel eerst die twee: `foundry sources unlink { $other } { $path }`.
revision-has-older = { $path } herziet { $other } al.
    .fix = Koppel de oudste revisie van die reeks, of ontkoppel eerst die twee: `foundry sources unlink { $path } { $other }`.
revision-objection = Wat in { $newer } en { $older } of in hun paden staat, zegt dat { $older } de latere is of spreekt zichzelf tegen; de koppeling geldt.
revision-doubt = { $newer } en { $older } lijken revisies van één document, maar hun merken, versies en datums spreken elkaar tegen, dus beide worden doorzocht; `foundry sources link NEW OLD` beslist.
