import { expectEqual, findEvent, type Task } from "./task.js";

const caption_ideas = ["Three rewrites, one registry, no lost record.", "What would you build to last twenty years?"];

export const posterVariants: Task = {
  id: "T5",
  title: "Draw three poster variants, publish the best with captions",
  goal: { calls: 6 },
  async run({ agent, checker, change, readImage, say }) {
    const { id: event_id } = await findEvent(agent, "opening keynote");
    const { committed } = await change(
      "generate_event_poster_draft",
      {
        event_id,
        templates: ["headline", "lineup", "editorial"],
        format: "square",
        caption_ideas,
        hashtags: ["#SoftwareThatLasts"],
        language: "en",
      },
      "Variants for the campaign",
    );
    // A model compares the images of the preview; this program takes the second.
    const [, best] = committed.after.drafts;
    await change(
      "set_event_poster_publication",
      { event_id, poster_id: best.id, published: true },
      "The clearest of the three",
    );
    say(`Published: ${best.image_url}`);

    const { posters } = await checker.call("get_event_asset_workspace", { event_id });
    const drawn = committed.after.drafts.map(({ id }: { id: string }) =>
      posters.find((poster: { id: string }) => poster.id === id),
    );
    expectEqual(
      "published",
      drawn.map((poster: { published: boolean }) => poster.published),
      [false, true, false],
    );
    const preview = await checker.call("update_event_poster", {
      event_id,
      poster_id: best.id,
      metadata: { caption_ideas },
    });
    expectEqual("captions", preview.proposed, preview.current);
    expectEqual("image", await readImage(best.image_url), { status: 200, type: "image/png" });
  },
};
