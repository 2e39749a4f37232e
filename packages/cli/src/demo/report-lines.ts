import type { PageReport } from '@touchstone/contract';
import { type Paint, safe } from '../output/text.ts';
import { STYLES } from '../output/words.ts';
import type { Scene } from './scenes.ts';

/** Whether the scene has its expected result. */
export function endedAsExpected({ expected, concludes }: Scene, report: PageReport): boolean {
  const concluded = concludes ?? (expected === 'verified' ? 'issued_to_proven_host' : expected);
  return report.verdict === expected && report.conclusion.code === concluded;
}

/** The verdict on a scene with its reasons and links. */
export function sceneLines(scene: Scene, report: PageReport, serviceUrl: string, paint: Paint): string {
  const right = endedAsExpected(scene, report);
  const mark = right ? paint('good', 'as expected') : paint('bad', `EXPECTED ${scene.expected}`);
  const why = report.errors[0] ?? report.warnings[0];
  return [
    `${paint(STYLES[report.conclusion.level], report.verdict.padEnd(20))} ${scene.handle}: ${scene.title}  (${mark})`,
    `${' '.repeat(21)}${safe(report.conclusion.sentence)}`,
    ...(why === undefined ? [] : [`${' '.repeat(21)}${safe(why)}`]),
    `${' '.repeat(21)}${paint('dim', `${report.url}  ·  ${serviceUrl}/api/v1/mc4p/page-checks/${report.id}`)}`,
    '',
  ].join('\n');
}
