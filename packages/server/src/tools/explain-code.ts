import { z } from 'zod';
import { explainCode } from './explanations.ts';
import { type Tool, tool } from './tool.ts';
import { toolError } from './tool-fault.ts';

const ExplanationSchema = z
  .object({
    code: z.string(),
    kind: z.string().meta({ description: 'Which closed list it stands in.' }),
    says: z.string(),
    whatToDo: z.string(),
    link: z.string().meta({ description: 'Path of its place in the documentation, under the base address.' }),
  })
  .meta({ id: 'Explanation' });

export function explainCodeTool(): Tool {
  return tool({
    name: 'explain_code',
    title: 'Explain a code',
    description:
      'What a verdict, or a code of an answer (before the colon in warnings, errors and findings; "reason" of a check; "code" of a fault), means, and what to do.',
    openWorld: false,
    arguments: z.object({
      code: z
        .string()
        .max(2000)
        .meta({ description: 'For example url_differs; a whole "code: sentence" will do.' }),
    }),
    answers: [ExplanationSchema],
    run: async ({ code }) => {
      const explanation = explainCode(code);
      if (explanation === null) throw toolError('code_unknown');
      const { says, whatToDo } = explanation;
      return { data: explanation, say: [`${explanation.code}: ${says}\nWhat to do: ${whatToDo}`] };
    },
  });
}
