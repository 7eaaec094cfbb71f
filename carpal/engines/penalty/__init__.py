"""Full coordinates: rigid bodies held together by stiff springs, with contact and friction (thesis 1, chapter 2)."""
