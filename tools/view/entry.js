// What the view takes of deck.gl.
export { Deck, OrthographicView } from "@deck.gl/core";
export { LineLayer, ScatterplotLayer, TextLayer } from "@deck.gl/layers";
