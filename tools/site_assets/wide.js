// Pictures that a narrow screen would shrink until nothing can be read scroll sideways, and say so.
"use strict";
const LEAST_PX = 620;

function widen(picture) {
  const column = picture.closest(".md-typeset p, .wide");
  const wanted = Math.min(picture.naturalWidth, LEAST_PX);
  if (!column || !wanted) return;
  const isWide = column.clientWidth + 1 < wanted;
  column.classList.toggle("wide", isWide);
  picture.style.width = isWide ? `${wanted}px` : "";
}

function widenAll() {
  for (const picture of document.querySelectorAll(".md-typeset p > img:only-child")) {
    if (picture.complete) widen(picture);
    else picture.addEventListener("load", () => widen(picture), { once: true });
  }
}

document.addEventListener("DOMContentLoaded", widenAll);
window.addEventListener("resize", widenAll);
