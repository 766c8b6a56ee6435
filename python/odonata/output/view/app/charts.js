// Charts over time: areas of jobs one upon the other, stalls as a line, the chosen time as a bar.

function drawChart(canvas, { series, colours, line, most, bin, ground, ink }) {
  const ratio = globalThis.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.max(width * ratio, 1);
  canvas.height = Math.max(height * ratio, 1);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const bins = series[0]?.length ?? line?.length ?? 0;
  if (!bins || !(most > 0)) return;
  const step = width / bins;
  const up = (value) => height - 1 - (height - 3) * Math.min(value / most, 1);
  const below = new Float32Array(bins);
  series.forEach((values, job) => {
    context.fillStyle = colours[job];
    values.forEach((value, at) => {
      if (!value) return;
      const foot = up(below[at]);
      below[at] += value;
      context.fillRect(at * step, up(below[at]), Math.max(step - 0.3, 0.5), foot - up(below[at]));
    });
  });
  if (line) {
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.setLineDash([4, 2]);
    context.beginPath();
    line.forEach((value, at) => context.lineTo((at + 0.5) * step, up(value)));
    context.stroke();
    context.setLineDash([]);
  }
  if (bin !== ALL) {
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.strokeRect(bin * step - 0.5, 0.5, Math.max(step, 2) + 1, height - 1);
  }
}

function peak(values) {
  let at = 0;
  values.forEach((value, bin) => { if (value > values[at]) at = bin; });
  return { bin: at, value: values[at] ?? 0 };
}

function summed(series) {
  const total = new Float32Array(series[0]?.length ?? 0);
  for (const values of series) values.forEach((value, at) => { total[at] += value; });
  return total;
}

// A colour of the style, which has one for light and one for dark screens.
function ofTheme(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
