import { ProductCertificateSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { type Tool, tool } from '../tool.ts';

const DESCRIPTION = `The certificate that the service serves for a product, as JSON-LD: with a signed proof while the product publishes
trust data, without one otherwise (no failure). What a shop says about its product in it is the shop's word.`;

export function getCertificateTool(): Tool {
  return tool({
    name: 'get_product_certificate',
    title: 'Get a product certificate',
    description: DESCRIPTION,
    openWorld: false,
    arguments: z.object({ productId: z.guid().meta({ description: "The service's id of the product." }) }),
    answers: [ProductCertificateSchema],
    run: async ({ productId }, { use }) => {
      const certificate = JSON.parse(await use.getCertificate(productId)) as object;
      const isSigned = 'proof' in certificate;
      return {
        data: certificate,
        say: [
          isSigned
            ? 'The product publishes a signed certificate. It is worth something only on the page that it names: verify it there.'
            : 'The product is known, but publishes no trust data now. That is no failure.',
        ],
      };
    },
  });
}
