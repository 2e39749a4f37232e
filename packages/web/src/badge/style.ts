/** The sizes match those of the fallback picture without scripts (docs/guides/embedding.md). */
export const STYLE = `
:host{--scale:1;display:inline-block;box-sizing:border-box;inline-size:208px;block-size:44px;max-inline-size:100%;overflow:hidden;contain:layout paint style;color-scheme:inherit}
:host([hidden]){display:none}
:host([size=small]){--scale:.8;inline-size:180px;block-size:36px}
:host([size=large]){--scale:1.25;inline-size:260px;block-size:55px}
a{--ground:#fff;--ink:#1c1b19;--soft:#5a564e;--edge:#c9c4b8;--tone:#5a564e;
all:initial;display:flex;align-items:center;gap:calc(9px*var(--scale));box-sizing:border-box;block-size:100%;padding-inline:calc(10px*var(--scale));border:1px solid var(--edge);border-inline-start:calc(4px*var(--scale)) solid var(--tone);border-radius:3px;background:var(--ground);color:var(--ink);direction:inherit;cursor:pointer;font:calc(12px*var(--scale))/1.25 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
@supports(color:light-dark(#000,#fff)){a{--ground:light-dark(#fff,#1d1c1a);--ink:light-dark(#1c1b19,#f3f0e9);--soft:light-dark(#5a564e,#b9b3a6);--edge:light-dark(#c9c4b8,#4b4841);--tone:light-dark(#5a564e,#b9b3a6);color-scheme:inherit}
.good{--tone:light-dark(#17663a,#6fce95)}.bad{--tone:light-dark(#a3201d,#ff9a8f)}.caution{--tone:light-dark(#7d4e00,#e9b65c)}}
@supports not (color:light-dark(#000,#fff)){.good{--tone:#17663a}.bad{--tone:#a3201d}.caution{--tone:#7d4e00}}
a:hover{border-color:var(--tone)}
a:focus-visible{outline:2px solid var(--ink);outline-offset:-4px}
svg{flex:none;inline-size:calc(24px*var(--scale));block-size:calc(24px*var(--scale));color:var(--tone)}
.fill{fill:currentColor}
.mark,.line{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.mark{stroke:var(--ground)}
.text{min-inline-size:0;flex:1}
:host(:dir(rtl)) .text{text-align:right}
b,small{display:block;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
b{font-size:calc(13.5px*var(--scale));font-weight:650}
small{font-size:inherit;color:var(--soft)}
:host([size=small]) b{font-size:12px}
:host([size=small]) small,.unseen{position:absolute;clip-path:inset(50%);inline-size:1px;block-size:1px;overflow:hidden;white-space:nowrap}
@media(prefers-reduced-motion:no-preference){.checking .line+.line{animation:wait 1.4s ease-in-out infinite}}
@keyframes wait{50%{opacity:.25}}
@media(forced-colors:active){svg{color:LinkText}.mark{stroke:Canvas}a:focus-visible{outline-color:Highlight}}
@media print{a{--ground:#fff;--ink:#000;--soft:#000}}
`;
