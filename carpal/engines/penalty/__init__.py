"""Full coordinates: rigid bodies held together by stiff springs, with contact and friction (Yesmunt 2014, chapter 2)."""
