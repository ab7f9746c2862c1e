import qrcode from 'qrcode-generator';

/** Blank modules around the code that scanners need. */
const quietModules = 4;

/** A text as a QR code, dark on light in either scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = Array.from({ length: code.getModuleCount() }, (_, n) => n);
  const dark = modules.flatMap((row) =>
    modules.filter((column) => code.isDark(row, column)).map((column) => `M${column + quietModules} ${row + quietModules}h1v1h-1z`),
  );
  const size = modules.length + 2 * quietModules;
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={220} height={220} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
